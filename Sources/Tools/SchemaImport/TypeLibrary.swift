import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// The types in a set of Swift files, indexed by name.
struct TypeLibrary {
  /// A declaration's identity.
  struct Key: Hashable {
    private let file: Int
    private let start: Int

    init(_ declaration: SwiftDeclaration) {
      file = declaration.file
      start = declaration.range.lowerBound
    }
  }

  let declarations: [SwiftDeclaration]
  let files: [SwiftFile]
  /// The version enum names, which are not part of schema names.
  let versions: Set<String>
  private let versionPaths: Set<[String]>
  private let aliases: [String: [SwiftAlias]]
  private let byName: [String: [Int]]
  private let tables: [LineTable]
  /// Names shared by several structs and enums outside models.
  private let repeated: Set<String>
  private let nestedModels: [Key: [SwiftDeclaration]]
  /// The schema name for each qualified name. A key that ends in a period is a name prefix.
  private let shorter: [String: String]

  init(_ declarations: [SwiftDeclaration], _ aliases: [SwiftAlias], _ files: [SwiftFile], versions: [[String]]) {
    self.declarations = declarations
    self.files = files
    self.versions = Set(versions.compactMap(\.last))
    versionPaths = Set(versions)
    self.aliases = Dictionary(grouping: aliases, by: \.name)
    tables = files.map { LineTable($0.file) }
    byName = Dictionary(grouping: declarations.indices) { declarations[$0].name }
    let models = declarations.filter { $0.kind == .model }
    let names = Set(models.map(\.name))
    var nested: [Key: [SwiftDeclaration]] = [:]
    var shorter = Dictionary(
      versions.compactMap { $0.last.map { ($0 + ".", "") } }, uniquingKeysWith: { first, _ in first })
    // The SwiftData module has a different name in Trellis.
    shorter["SwiftData."] = ""
    for model in models where !model.scopes.isEmpty {
      for outer in models where outer.file == model.file && outer.body.contains(model.range.lowerBound) {
        nested[Key(outer), default: []].append(model)
        shorter["\(outer.name).\(model.name)"] = model.name
      }
    }
    // A type that contains models is a namespace; a schema has no namespaces.
    let namespaces = Set(models.flatMap(\.scopes)).subtracting(names)
    for type in declarations where [.model, .valueEnum, .structure].contains(type.kind) {
      for start in type.scopes.indices where type.scopes[start...].allSatisfy(namespaces.contains) {
        shorter[(type.scopes[start...] + [type.name]).joined(separator: ".")] = type.name
      }
    }
    let top = Set(declarations.filter { $0.kind != .extensionOf && $0.scopes.isEmpty }.map(\.name))
    for module in Self.modules(files, models: names, declared: Set(byName.keys).union(aliases.map(\.name))) {
      for name in top.union(namespaces).union(versions.compactMap(\.first)) { shorter["\(module).\(name)"] = name }
    }
    var seen: Set<String> = []
    var repeated: Set<String> = []
    for type in declarations where type.kind == .valueEnum || type.kind == .structure {
      guard !type.scopes.contains(where: names.contains) else { continue }
      if !seen.insert(type.name).inserted { repeated.insert(type.name) }
    }
    self.repeated = repeated.subtracting(versions.compactMap(\.last))
    nestedModels = nested.mapValues { $0.sorted { $0.range.lowerBound < $1.range.lowerBound } }
    self.shorter = shorter
  }

  /// Returns module names that qualify models, as in `TravelKit.Trip`.
  private static func modules(_ files: [SwiftFile], models: Set<String>, declared: Set<String>) -> Set<String> {
    var found: Set<String> = []
    for file in files {
      for token in file.tokens.indices.dropLast(2) {
        guard file.tokens[token].kind == .identifier, file.tokens[token + 1].kind == .period,
          file.tokens[token + 2].kind == .identifier, models.contains(file.name(token + 2)),
          token == 0 || file.tokens[token - 1].kind != .period
        else { continue }
        let name = file.name(token)
        if name.first?.isUppercase ?? false, name != "Self", !declared.contains(name) { found.insert(name) }
      }
    }
    return found
  }

  /// Returns the models that are declared directly in a model.
  func models(inside declaration: SwiftDeclaration) -> [SwiftDeclaration] {
    var end = 0
    return (nestedModels[Key(declaration)] ?? []).filter { model in
      guard model.range.lowerBound >= end else { return false }
      end = model.range.upperBound
      return true
    }
  }

  /// Removes version and namespace qualifiers from a line.
  func unqualified(_ line: String) -> String { Self.replace(shorter, in: line) }

  /// Returns the version that contains a declaration.
  func version(of declaration: SwiftDeclaration) -> [String]? {
    (0...declaration.scopes.count).lazy.map { Array(declaration.scopes.prefix($0)) }.first(where: versionPaths.contains)
  }

  /// Finds the type for a name in a version: first in the version, then outside all types, then anywhere.
  func type(
    _ path: String, in version: [String]?, where isWanted: (SwiftDeclaration) -> Bool
  ) -> SwiftDeclaration? {
    let parts = path.split(separator: ".").map(String.init)
    guard let name = parts.last else { return nil }
    let qualifiers = parts.dropLast()
    let here = version ?? []
    let candidates = (byName[name] ?? []).map { declarations[$0] }.filter { candidate in
      isWanted(candidate) && qualifiers.allSatisfy { candidate.scopes.contains($0) || versions.contains($0) }
    }.enumerated().sorted { first, second in
      // If several families have a version with the name, prefer the nearest version.
      let (near, far) = (first.element.scopes.shared(with: here), second.element.scopes.shared(with: here))
      return near == far ? first.offset < second.offset : near > far
    }.map(\.element)
    if let qualifier = qualifiers.last, versions.contains(qualifier),
      let exact = candidates.first(where: { $0.scopes.contains(qualifier) })
    {
      return exact
    }
    if let version, let own = candidates.first(where: { $0.scopes.starts(with: version) }) { return own }
    return candidates.first { $0.scopes.isEmpty }
      ?? candidates.first { self.version(of: $0) == nil }
      ?? (version == nil ? candidates.first : nil)
  }

  /// Removes the module qualifier from a name, if the first component is not a type, alias or version in these files.
  func withoutModule(_ path: String) -> String? {
    guard let dot = path.firstIndex(of: "."), let first = path.first, first.isUppercase else { return nil }
    let qualifier = String(path[..<dot])
    guard byName[qualifier] == nil, aliases[qualifier] == nil else { return nil }
    return String(path[path.index(after: dot)...])
  }

  /// Returns the source range of a `static` member in a type's extensions.
  func staticMember(_ name: String, of type: String, in version: [String]?) -> (file: Int, range: Range<Int>)? {
    let extensions = declarations.filter { $0.kind == .extensionOf && $0.path.last == type }
    let own = extensions.filter { declaration in version.map { declaration.path.starts(with: $0) } ?? false }
    for declaration in own + extensions {
      let file = files[declaration.file]
      if let range = StaticMember.find(name, in: file, declaration.bodyTokens) { return (declaration.file, range) }
    }
    return nil
  }

  /// Returns the types that a declaration refers to by ambiguous names: types in the same scopes, otherwise types in
  /// the same file.
  func ambiguous(in owner: SwiftDeclaration) -> [SwiftDeclaration] {
    guard owner.kind == .model, !repeated.isEmpty else { return [] }
    let file = files[owner.file]
    var seen: Set<String> = []
    return owner.bodyTokens.compactMap { token -> SwiftDeclaration? in
      guard file.tokens[token].kind == .identifier else { return nil }
      let name = file.name(token)
      guard repeated.contains(name), seen.insert(name).inserted else { return nil }
      return isOwn(name, owner) ? nil : nearest(name, to: owner)
    }
  }

  /// Returns true if the type is declared in the model or in a model extension.
  private func isOwn(_ name: String, _ owner: SwiftDeclaration) -> Bool {
    types(name).contains { type in
      type.file == owner.file && owner.body.contains(type.range.lowerBound) || type.scopes.last == owner.name
    }
  }

  /// Returns the type nearest to the owner; nil if the name is not ambiguous. Types in a different version are ignored.
  private func nearest(_ name: String, to owner: SwiftDeclaration) -> SwiftDeclaration? {
    let best = types(name).filter { owner.scopes.starts(with: $0.scopes) }.max { first, second in
      if first.scopes.count != second.scopes.count { return first.scopes.count < second.scopes.count }
      return first.file != owner.file && second.file == owner.file
    }
    guard let best, version(of: best) == nil else { return nil }
    let others = types(name).filter { Key($0) != Key(best) && version(of: $0) == nil }
    return others.isEmpty ? nil : best
  }

  /// Returns the structs and enums that have a name.
  private func types(_ name: String) -> [SwiftDeclaration] {
    (byName[name] ?? []).map { declarations[$0] }.filter { $0.kind == .valueEnum || $0.kind == .structure }
  }

  /// Finds the model for a name or a type alias.
  func model(_ path: String, in version: [String]?) -> SwiftDeclaration? {
    var path = path
    for _ in 0..<8 {
      if let model = type(path, in: version, where: { $0.kind == .model }) { return model }
      if let rest = withoutModule(path), let model = type(rest, in: version, where: { $0.kind == .model }) {
        return model
      }
      let name = path.split(separator: ".").last.map(String.init) ?? path
      guard let alias = alias(name, in: version), alias.target != path else { return nil }
      path = alias.target
    }
    return nil
  }

  /// Finds the type alias for a name in a version.
  func alias(_ name: String, in version: [String]?) -> SwiftAlias? {
    let candidates = aliases[name] ?? []
    return candidates.first { alias in version.map { alias.scopes.starts(with: $0) } ?? false }
      ?? candidates.first { !$0.scopes.contains(where: versions.contains) }
  }

  /// Finds a type that a model extension declares. In a schema, the model contains it.
  func nested(in model: SwiftDeclaration, named name: String, _ version: [String]?) -> SwiftDeclaration? {
    (byName[name] ?? []).map { declarations[$0] }.first { candidate in
      let isType = candidate.kind == .valueEnum || candidate.kind == .structure
      let isOwn =
        candidate.scopes.last == model.name
        && (candidate.scopes.count == 1 || version == nil || candidate.scopes.starts(with: version ?? []))
      let isInside = candidate.file == model.file && model.body.contains(candidate.range.lowerBound)
      return isType && isOwn && !isInside
    }
  }

  /// Returns true if the type conforms to `Codable`, `Encodable` or `Decodable` in any declaration.
  func isCodable(_ type: SwiftDeclaration) -> Bool {
    let words: Set = ["Codable", "Decodable", "Encodable"]
    if !words.isDisjoint(with: type.conformances) { return true }
    return (byName[type.name] ?? []).contains { index in
      declarations[index].kind == .extensionOf && !words.isDisjoint(with: declarations[index].conformances)
    }
  }

  /// Returns the imports in files, each listed once.
  func imports(of used: Set<Int>) -> ImportedText {
    var text = ImportedText()
    var seen: Set<String> = []
    for index in files.indices where used.contains(index) {
      for (line, offset) in SwiftImports.find(files[index]) where seen.insert(line).inserted {
        text.add(line, from: .init(file: index, line: tables[index].line(at: offset)))
      }
    }
    return text
  }
}

extension TypeLibrary {
  func line(_ file: Int, _ offset: Int) -> Int { tables[file].line(at: offset) }

  func note(_ kind: ImportNote.Kind, _ declaration: SwiftDeclaration, _ message: String) -> ImportNote {
    note(
      kind, declaration.file,
      declaration.bodyTokens.lowerBound > 0 ? declaration.body.lowerBound : declaration.range.lowerBound, message)
  }

  func note(_ kind: ImportNote.Kind, _ file: Int, _ offset: Int, _ message: String) -> ImportNote {
    ImportNote(kind, files[file].file.path, tables[file].line(at: offset), message)
  }

  func note(_ kind: ImportNote.Kind, _ origin: ImportedText.Origin?, _ message: String) -> ImportNote {
    guard let origin else { return ImportNote(kind, "", 1, message) }
    return ImportNote(kind, files[origin.file].file.path, origin.line, message)
  }

  /// Removes a word and the following space from a line.
  static func removing(_ word: String, from line: String) -> String {
    var result = ""
    var rest = line[...]
    while let first = rest.first {
      let isStart = result.last.map { !($0.isLetter || $0.isNumber || $0 == "_") } ?? true
      if isStart, rest.hasPrefix(word),
        !(rest.dropFirst(word.count).first.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false)
      {
        return result + rest.dropFirst(word.count).drop { $0 == " " }
      }
      result.append(first)
      rest = rest.dropFirst()
    }
    return result
  }

  /// Replaces qualified names outside quotation marks. A key that ends in a period is a name prefix.
  static func replace(_ words: [String: String], in line: String) -> String {
    guard !words.isEmpty else { return line }
    var result = ""
    var rest = line[...]
    var isText = false
    while let first = rest.first {
      if first == "\"" { isText.toggle() }
      let isName = first.isLetter || first == "_"
      guard isName, !isText, result.last.map({ !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }) ?? true
      else {
        result.append(first)
        rest = rest.dropFirst()
        continue
      }
      let path = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
      let name = path.prefix { $0 != "." }
      let parts = path.split(separator: ".", omittingEmptySubsequences: false)
      let known = (1...parts.count).reversed().lazy.map { parts[..<$0].joined(separator: ".") }
        .first { words[$0] != nil }
      if let known, let word = words[known] {
        result += word
        rest = rest.dropFirst(known.count)
      } else if parts.count > 1, let word = words[name + "."] {
        result += word
        rest = rest.dropFirst(name.count + 1)
      } else {
        result += name
        rest = rest.dropFirst(name.count)
      }
    }
    return result
  }
}
