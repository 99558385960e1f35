import SchemaDiagnostics
import SchemaSyntax

/// The types declared in a target's Swift files, by full name.
///
/// Cases are read only for enums with raw values. For all other types, the Swift compiler decides how values are stored
/// when it compiles the generated code.
package struct SwiftTypes: Sendable {
  /// An enum with raw values.
  struct RawEnum: Sendable {
    var path: [String]
    /// True if the enum exists only under a condition. The cases are then unknown.
    var isConditional: Bool
    /// The declaration alone, at its original offset.
    var file: SourceFile
    /// The access level of the enclosing types.
    var access: String?
  }

  /// The declaration that a name refers to.
  indirect enum Meaning {
    case rawEnum(RawEnum)
    case model([String])
    case other([String])
    /// The aliased type, and the types that enclose the alias.
    case alias(TypeSyntax, scopes: [String])
  }

  /// Structs and enums for which generated code declares a `Sendable` conformance, because the app does not.
  private var unsendable: Set<String> = []
  /// Types for which no declaration states a conformance.
  private var bare: Set<String> = []
  /// Private types, and types nested in private types.
  private var hidden: Set<String> = []
  /// Types inside `#if`.
  private var conditional: Set<String> = []

  private indirect enum Entry {
    case rawEnum(SwiftDeclaration, SourceFile)
    case model, other
    case alias(SwiftAlias)
  }

  private var entries: [String: Entry] = [:]
  /// Inheritance clauses by model.
  private var inheritedNames: [String: [String]] = [:]
  private var module = ""
  private(set) var files: [SwiftFile] = []
  private var declarations: [String: [SwiftDeclaration]] = [:]

  package init() {}

  init(_ declarations: [SwiftDeclaration], _ aliases: [SwiftAlias], _ files: [SwiftFile], module: String) {
    self.module = module
    self.files = files
    self.declarations = declarations.grouped(by: \.title)
    let types = declarations.filter { $0.kind != .extensionOf }
    let privatePaths = declarations.filter(\.isHidden).grouped(by: \.file).mapValues {
      Set($0.map(\.path))
    }
    let (visible, others) = types.divided { type in
      !type.path.indices.contains { privatePaths[type.file]?.contains(Array(type.path[...$0])) == true }
    }
    // A private type in a file may share a name with a type visible to all files.
    hidden = Set(others.map(\.title)).subtracting(visible.map(\.title))
    for type in others + visible {
      let name = type.title
      if type.condition != nil { conditional.insert(name) }
      if type.kind == .model { inheritedNames[name] = type.conformances }
      let isRaw = type.kind == .valueEnum && !hidden.contains(name) && hasRawValues(type)
      entries[name] = type.kind == .model ? .model : isRaw ? .rawEnum(type, files[type.file].file) : .other
    }
    addUnsendable(types, declarations, files)
    addBare(types, declarations, files)
    for alias in aliases {
      let name = (alias.scopes + [alias.name]).joined(separator: ".")
      if entries[name] == nil { entries[name] = .alias(alias) }
    }
  }

  /// Records the types for which no conformance is declared. Types with an attached macro are excluded, because the
  /// macro may add conformances.
  private mutating func addBare(
    _ types: [SwiftDeclaration], _ declarations: [SwiftDeclaration], _ files: [SwiftFile]
  ) {
    let stated = Set(declarations.filter { !$0.conformances.isEmpty }.compactMap { $0.path.last })
    for type in types where [.structure, .valueEnum, .otherClass].contains(type.kind) && !stated.contains(type.name) {
      if !head(of: type, files[type.file]).contains("@") { bare.insert(type.title) }
    }
  }

  /// Returns a declaration's tokens before the opening brace.
  func head(of declaration: SwiftDeclaration, _ file: SwiftFile) -> [String] {
    (0..<declaration.bodyTokens.lowerBound).reversed().prefix {
      Int(file.tokens[$0].start) >= declaration.range.lowerBound
    }.map { file.text($0) }
  }

  /// Records the types that need an explicit `Sendable` conformance in generated code. Swift rejects a conformance in a
  /// separate file if it implies `Sendable`, as for an enum with raw values. It does not infer `Sendable` for public
  /// types or for types that contain themselves.
  private mutating func addUnsendable(
    _ types: [SwiftDeclaration], _ declarations: [SwiftDeclaration], _ files: [SwiftFile]
  ) {
    let sendable = Set(declarations.filter { $0.conformances.contains("Sendable") }.map(\.path))
    let recursive = recursiveTypes(types, files)
    for type in types where [.structure, .valueEnum].contains(type.kind) && !sendable.contains(type.path) {
      let name = type.title
      let isRaw = if case .rawEnum? = entries[name] { true } else { false }
      if !hidden.contains(name),
        isRaw || type.isPublic || isIndirect(type, files[type.file]) || recursive.contains(type.path)
      {
        unsendable.insert(name)
      }
    }
  }

  /// Returns the recursive types, such as `struct Item { var parts: [Item] }`, and the types that contain them.
  private func recursiveTypes(_ types: [SwiftDeclaration], _ files: [SwiftFile]) -> Set<[String]> {
    let types = types.filter { [.structure, .valueEnum].contains($0.kind) }
    let paths = types.map(\.path).grouped { $0.last ?? "" }
    let parts = Dictionary(
      types.map { ($0.path, namesOfParts($0, files[$0.file]).flatMap { paths[$0] ?? [] }) },
      uniquingKeysWith: { $0 + $1 })
    func contents(of path: [String]) -> Set<[String]> {
      var found = Set<[String]>()
      var waiting = parts[path] ?? []
      while let next = waiting.popLast() {
        if found.insert(next).inserted { waiting += parts[next] ?? [] }
      }
      return found
    }
    let all = parts.keys.map { (path: $0, contents: contents(of: $0)) }
    let recursive = Set(all.filter { $0.contents.contains($0.path) }.map(\.path))
    return recursive.union(all.filter { !$0.contents.isDisjoint(with: recursive) }.map(\.path))
  }

  /// Returns the names in a type's stored property and case declarations.
  private func namesOfParts(_ type: SwiftDeclaration, _ file: SwiftFile) -> Set<String> {
    var names = Set<String>()
    var (depth, isPart) = (0, true)
    for index in type.bodyTokens {
      let text = file.text(index)
      if text == "}" { depth -= 1 }
      if depth == 0, file.tokens[index].startsLine || text == ";" { isPart = true }
      if ["static", "func", "init", "subscript"].contains(text) { isPart = depth > 0 && isPart }
      if depth == 0, isPart { names.insert(text) }
      if text == "{" { depth += 1 }
    }
    return names
  }

  /// True if an enum or any case is `indirect`.
  private func isIndirect(_ declaration: SwiftDeclaration, _ file: SwiftFile) -> Bool {
    guard declaration.kind == .valueEnum else { return false }
    return head(of: declaration, file).contains("indirect")
      || declaration.bodyTokens.contains { file.text($0) == "indirect" }
  }

  /// True if the first name in an enum's inheritance clause is a raw type.
  private func hasRawValues(_ declaration: SwiftDeclaration) -> Bool {
    let names = declaration.conformances.drop { $0 == "Swift" }
    return names.first.map { ScalarType(rawValue: $0) != nil } ?? false
  }

  /// Returns the meaning of a name within nested types, or `nil` for a type from a different module.
  func meaning(of name: [String], in scopes: [String]) -> Meaning? {
    guard !entries.isEmpty else { return nil }
    for count in stride(from: scopes.count, through: 0, by: -1) {
      let scope = Array(scopes[..<count])
      if let found = meaning(ofFullName: scope + name) ?? meaning(of: name, inheritedBy: scope) { return found }
    }
    // `Journeys.Trip.Kind` begins with the module name.
    return name.count > 1 && name[0] == module ? meaning(ofFullName: Array(name.dropFirst())) : nil
  }

  /// Returns the model that a name or type alias refers to.
  func model(_ name: [String], in scopes: [String], depth: Int = 0) -> [String]? {
    switch meaning(of: name, in: scopes) {
    case .model(let path): return path
    case .alias(let target, let scopes) where depth < 8:
      var shape = target.shape
      while true {
        switch shape {
        case .optional(let inner), .array(let inner): shape = inner.shape
        case .named(let parts, _): return model(parts, in: scopes, depth: depth + 1)
        default: return nil
        }
      }
    default: return nil
    }
  }

  /// Returns the meaning of a name declared inside a superclass.
  private func meaning(of name: [String], inheritedBy model: [String], depth: Int = 0) -> Meaning? {
    guard depth < 8, let names = inheritedNames[model.joined(separator: ".")] else { return nil }
    // The parts of a qualified name are separate entries.
    for count in names.indices.map({ $0 + 1 }) {
      guard case .model(let path)? = meaning(of: Array(names.prefix(count)), in: Array(model.dropLast())) else {
        continue
      }
      return meaning(ofFullName: path + name) ?? meaning(of: name, inheritedBy: path, depth: depth + 1)
    }
    return nil
  }

  private func meaning(ofFullName path: [String]) -> Meaning? {
    switch entries[path.joined(separator: ".")] {
    case .rawEnum(let declaration, let file): return .rawEnum(rawEnum(path, declaration, file))
    case .model: return .model(path)
    case .other: return .other(path)
    case .alias(let alias): return Self.type(alias, "").map { .alias($0, scopes: alias.scopes) } ?? .other(path)
    case nil: break
    }
    // `V2.Trip`, where `V2` is an alias.
    for count in path.indices.dropFirst() {
      guard case .alias(let alias)? = entries[path[..<count].joined(separator: ".")] else { continue }
      let rest = path[count...].map { "." + $0 }.joined()
      return Self.type(alias, rest).map { .alias($0, scopes: alias.scopes) }
    }
    return nil
  }

  /// Returns the aliased type, or `nil` for a type that properties cannot have, such as a function type.
  private static func type(_ alias: SwiftAlias, _ rest: String) -> TypeSyntax? {
    property("value: \(alias.target)\(rest)")?.type
  }

  /// Parses the text after `var` as a property.
  static func property(_ text: String) -> BindingSyntax? {
    let (tree, problems) = Parser.parse(SourceFile(path: "", text: "@Model class Alias {\nvar \(text)\n}"), index: 0)
    guard problems.isEmpty, let model = tree.root.children.first(where: { $0.kind == .classDeclaration }),
      let property = DeclarationSyntax(model).members.first(where: { $0.kind == .propertyDeclaration })
    else { return nil }
    return DeclarationSyntax(property).bindings.first
  }

  private func rawEnum(_ path: [String], _ declaration: SwiftDeclaration, _ file: SourceFile) -> RawEnum {
    var bytes = file.bytes.map { $0 == 0x0A || $0 == 0x0D ? $0 : 0x20 }
    bytes.replaceSubrange(declaration.range, with: file.bytes[declaration.range])
    return RawEnum(
      path: path, isConditional: conditional.contains(path.joined(separator: ".")),
      file: SourceFile(path: file.path, bytes: bytes), access: access(of: Array(path.dropLast())))
  }

  /// The unqualified names of all types and type aliases.
  package var names: Set<String> { Set(entries.keys.compactMap { $0.parts(separatedBy: ".").last }) }

  /// True if no declaration of the type states a conformance, so that it is not `Codable`.
  func isBare(_ path: [String]) -> Bool { bare.contains(path.joined(separator: ".")) }

  /// Returns a type's declaration and its extensions.
  func declarations(of path: [String]) -> [SwiftDeclaration] { declarations[path.joined(separator: ".")] ?? [] }

  /// Returns the lowest access level of a type and the types that enclose it, if it is `internal` or `package`.
  func access(of path: [String]) -> String? {
    let types = path.indices.flatMap { declarations(of: Array(path[...$0])) }.filter { $0.kind != .extensionOf }
    return ["internal", "package"].first { level in types.contains { ($0.access ?? "internal") == level } }
  }

  func isHidden(_ path: [String]) -> Bool { hidden.contains(path.joined(separator: ".")) }

  func isUnsendable(_ path: [String]) -> Bool { unsendable.contains(path.joined(separator: ".")) }
}

extension SwiftDeclaration {
  fileprivate var title: String { path.joined(separator: ".") }
}

extension Array {
  /// Splits the elements into those that satisfy a condition and the rest.
  fileprivate func divided(_ condition: (Element) -> Bool) -> ([Element], [Element]) {
    (filter(condition), filter { !condition($0) })
  }
}
