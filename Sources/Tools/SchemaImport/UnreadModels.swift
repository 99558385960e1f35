import SchemaSyntax

/// Reports `@Model` declarations that the scan does not find, so that no model is lost silently.
enum UnreadModels {
  static func notes(
    _ files: [SwiftFile], _ declarations: [SwiftDeclaration], _ library: TypeLibrary
  ) -> [ImportNote] {
    files.indices.flatMap { index -> [ImportNote] in
      let file = files[index]
      let known = declarations.filter { $0.file == index && $0.kind == .model }.map(\.range)
      let all = declarations.filter { $0.file == index }.map(\.range)
      let versions = file.tokens.indices.dropFirst().compactMap { token -> ImportNote? in
        guard file.text(token) == "VersionedSchema", [.colon, .comma].contains(file.tokens[token - 1].kind) else {
          return nil
        }
        let offset = Int(file.tokens[token].start)
        guard !all.contains(where: { $0.contains(offset) }) else { return nil }
        return library.note(
          .notCarried, index, offset, "cannot read this version: braces or parentheses are not closed")
      }
      return versions
        + file.tokens.indices.dropLast().compactMap { token -> ImportNote? in
          guard file.tokens[token].kind == .at, file.text(token + 1) == "Model" || isQualified(file, token) else {
            return nil
          }
          let offset = Int(file.tokens[token].start)
          guard !known.contains(where: { $0.contains(offset) }) else { return nil }
          return library.note(
            .notCarried, index, offset,
            "cannot read this '@Model': it must precede a named class with a closing brace, outside functions")
        }
    }
  }

  /// Returns true for `@SwiftData.Model`.
  private static func isQualified(_ file: SwiftFile, _ token: Int) -> Bool {
    token + 3 < file.tokens.count && file.text(token + 1) == "SwiftData" && file.tokens[token + 2].kind == .period
      && file.text(token + 3) == "Model"
  }
}
