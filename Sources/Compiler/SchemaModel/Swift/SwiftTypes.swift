import SchemaDiagnostics
import SchemaSyntax

/// The types that the Swift files of a target declare, by their full names.
///
/// Only enums with raw values are known by their cases: a store keeps the raw value. Values of other structs and enums are
/// stored as a whole, whatever file they are in.
package struct SwiftTypes: Sendable {
  /// An enum with raw values.
  struct RawEnum: Sendable {
    var path: [String]
    /// True if it exists under a condition only, so that its cases are not known.
    var isConditional: Bool
    /// The declaration alone, at its place in the file.
    var file: SourceFile
  }

  /// What a name stands for.
  enum Meaning {
    case rawEnum(RawEnum)
    case model([String])
    case other([String])
    /// The type behind a type alias, and the types around the alias.
    case alias(TypeSyntax, scopes: [String])
  }

  /// The structs and enums of which generated code says that they are `Sendable`, because the program does not.
  private var unsendable: Set<String> = []

  /// True for a type under `#if`.
  private var conditional: [String: Bool] = [:]

  private enum Entry {
    case rawEnum(SwiftDeclaration, SourceFile)
    case model, other
    case alias(SwiftAlias)
  }

  private var entries: [String: Entry] = [:]
  private var module = ""

  package init() {}

  init(_ declarations: [SwiftDeclaration], _ aliases: [SwiftAlias], _ files: [SwiftFile], module: String) {
    self.module = module
    let hidden = Set(declarations.filter(\.isHidden).map(\.path))
    let publicExtensions = declarations.filter { $0.kind == .extensionOf && $0.isPublic }
    let sendable = Set(declarations.filter { $0.conformances.contains("Sendable") }.map(\.path))
    for declaration in declarations where declaration.kind != .extensionOf {
      let name = declaration.path.joined(separator: ".")
      let path = declaration.path
      let isVisible = !path.indices.contains { hidden.contains(Array(path[...$0])) }
      let isRaw = declaration.kind == .valueEnum && isVisible && hasRawValues(declaration)
      let isPublic =
        declaration.isPublic
        || publicExtensions.contains { $0.file == declaration.file && $0.body.contains(declaration.range.lowerBound) }
      // Swift does not accept a conformance in another file that implies `Sendable`, and does not infer it for a public
      // type or for an enum that contains itself.
      let isUninferred = isPublic || isRecursive(declaration, files[declaration.file])
      let isWhole = isVisible && [.structure, .valueEnum].contains(declaration.kind) && isUninferred
      if isRaw || isWhole, !sendable.contains(path) { unsendable.insert(name) }
      let isModel = declaration.kind == .model
      // Of an enum under a condition, the cases are not known.
      conditional[name] = declaration.condition != nil || conditional[name] == true
      entries[name] = isModel ? .model : isRaw ? .rawEnum(declaration, files[declaration.file].file) : .other
    }
    for alias in aliases {
      let name = (alias.scopes + [alias.name]).joined(separator: ".")
      if entries[name] == nil { entries[name] = .alias(alias) }
    }
  }

  /// Whether an enum is `indirect`, or one of its cases.
  private func isRecursive(_ declaration: SwiftDeclaration, _ file: SwiftFile) -> Bool {
    guard declaration.kind == .valueEnum else { return false }
    let head = (0..<declaration.bodyTokens.lowerBound).reversed().prefix {
      Int(file.tokens[$0].start) >= declaration.range.lowerBound
    }
    return (Array(head) + Array(declaration.bodyTokens)).contains { file.text($0) == "indirect" }
  }

  /// The first name behind the colon of an enum is its raw type.
  private func hasRawValues(_ declaration: SwiftDeclaration) -> Bool {
    let names = declaration.conformances.drop { $0 == "Swift" }
    return names.first.map { ScalarType(rawValue: $0) != nil } ?? false
  }

  /// What a name stands for within some types; nil for a type of another module.
  func meaning(of name: [String], in scopes: [String]) -> Meaning? {
    guard !entries.isEmpty else { return nil }
    for count in stride(from: scopes.count, through: 0, by: -1) {
      if let found = meaning(ofFullName: Array(scopes[..<count]) + name) { return found }
    }
    // `Journeys.Trip.Kind` begins with the name of the module.
    return name.count > 1 && name[0] == module ? meaning(ofFullName: Array(name.dropFirst())) : nil
  }

  private func meaning(ofFullName path: [String]) -> Meaning? {
    switch entries[path.joined(separator: ".")] {
    case .rawEnum(let declaration, let file): return .rawEnum(rawEnum(path, declaration, file))
    case .model: return .model(path)
    case .other: return .other(path)
    case .alias(let alias): return Self.type(alias, "").map { .alias($0, scopes: alias.scopes) } ?? .other(path)
    case nil: break
    }
    // `V2.Trip` where `V2` is an alias.
    for count in path.indices.dropFirst() {
      guard case .alias(let alias)? = entries[path[..<count].joined(separator: ".")] else { continue }
      let rest = path[count...].map { "." + $0 }.joined()
      return Self.type(alias, rest).map { .alias($0, scopes: alias.scopes) }
    }
    return nil
  }

  /// The type behind an alias; nil for one that no property has, such as a function.
  private static func type(_ alias: SwiftAlias, _ rest: String) -> TypeSyntax? {
    let file = SourceFile(path: "", text: "@Model class Alias { var value: \(alias.target)\(rest) }")
    let (tree, problems) = Parser.parse(file, index: 0)
    guard problems.isEmpty, let model = tree.root.children.first(where: { $0.kind == .classDeclaration }),
      let property = DeclarationSyntax(model).members.first(where: { $0.kind == .propertyDeclaration })
    else { return nil }
    return DeclarationSyntax(property).bindings.first?.type
  }

  private func rawEnum(_ path: [String], _ declaration: SwiftDeclaration, _ file: SourceFile) -> RawEnum {
    var bytes = file.bytes.map { $0 == 0x0A || $0 == 0x0D ? $0 : 0x20 }
    bytes.replaceSubrange(declaration.range, with: file.bytes[declaration.range])
    return RawEnum(
      path: path, isConditional: conditional[path.joined(separator: ".")] == true,
      file: SourceFile(path: file.path, bytes: bytes))
  }

  /// The names of all types and type aliases, without those of the types around them.
  package var names: Set<String> { Set(entries.keys.compactMap { $0.parts(separatedBy: ".").last }) }

  func isUnsendable(_ path: [String]) -> Bool { unsendable.contains(path.joined(separator: ".")) }
}
