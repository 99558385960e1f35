import SchemaDiagnostics

/// The types of some Swift files, by their names.
struct TypeLibrary {
  let declarations: [SwiftDeclaration]
  let files: [SwiftFile]
  /// The enums that are versions, whose names are no part of a schema.
  let versions: Set<String>
  private let byName: [String: [Int]]
  private let tables: [LineTable]

  init(_ declarations: [SwiftDeclaration], _ files: [SwiftFile], versions: [String]) {
    self.declarations = declarations
    self.files = files
    self.versions = Set(versions)
    tables = files.map { LineTable($0.file) }
    byName = Dictionary(grouping: declarations.indices) { declarations[$0].name }
  }

  /// The type a name means in a version: the version's own, then one outside of all types, then any.
  func type(
    _ path: String, in version: String?, where isWanted: (SwiftDeclaration) -> Bool
  ) -> SwiftDeclaration? {
    let parts = path.split(separator: ".").map(String.init)
    guard let name = parts.last else { return nil }
    let qualifiers = parts.dropLast()
    let candidates = (byName[name] ?? []).map { declarations[$0] }.filter { candidate in
      isWanted(candidate) && qualifiers.allSatisfy { candidate.scopes.contains($0) || versions.contains($0) }
    }
    if let qualifier = qualifiers.last, versions.contains(qualifier),
      let exact = candidates.first(where: { $0.scopes.contains(qualifier) })
    {
      return exact
    }
    if let version, let own = candidates.first(where: { $0.scopes.first == version }) { return own }
    return candidates.first { $0.scopes.isEmpty }
      ?? candidates.first { candidate in !candidate.scopes.contains { versions.contains($0) } }
      ?? (version == nil ? candidates.first : nil)
  }

  /// Types declared in extensions of a model, which belong into it in a schema.
  func nested(in model: SwiftDeclaration, named name: String, _ version: String?) -> SwiftDeclaration? {
    (byName[name] ?? []).map { declarations[$0] }.first { candidate in
      let isType = candidate.kind == .valueEnum || candidate.kind == .structure
      let isOwn = candidate.scopes.last == model.name
        && (candidate.scopes.count == 1 || candidate.scopes.first == version || version == nil)
      let isInside = candidate.file == model.file && model.body.contains(candidate.range.lowerBound)
      return isType && isOwn && !isInside
    }
  }

  /// Whether the type says somewhere that its values can be written.
  func isCodable(_ type: SwiftDeclaration) -> Bool {
    let words: Set = ["Codable", "Decodable", "Encodable"]
    if !words.isDisjoint(with: type.conformances) { return true }
    return (byName[type.name] ?? []).contains { index in
      declarations[index].kind == .extensionOf && !words.isDisjoint(with: declarations[index].conformances)
    }
  }

  func note(_ kind: ImportNote.Kind, _ declaration: SwiftDeclaration, _ message: String) -> ImportNote {
    note(kind, declaration.file, declaration.bodyTokens.lowerBound > 0 ? declaration.body.lowerBound : declaration.range.lowerBound, message)
  }

  func note(_ kind: ImportNote.Kind, _ file: Int, _ offset: Int, _ message: String) -> ImportNote {
    ImportNote(kind, files[file].file.path, tables[file].line(at: offset), message)
  }

  func note(_ kind: ImportNote.Kind, _ origin: ImportedText.Origin?, _ message: String) -> ImportNote {
    guard let origin else { return ImportNote(kind, "", 1, message) }
    return ImportNote(kind, files[origin.file].file.path, origin.line, message)
  }
}
