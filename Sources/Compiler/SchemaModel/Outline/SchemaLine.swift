import SchemaDiagnostics
import SchemaSyntax

/// A `schema` line, such as `schema Trips 1.2.0`.
struct SchemaLine {
  let node: SyntaxNode
  let name: String?
  let version: SchemaVersion
  /// The source range of the version, or of the whole line if the version is missing.
  let range: SourceRange
  let problems: [Diagnostic]

  init(_ node: SyntaxNode) {
    self.node = node
    let tree = node.tree
    let nameToken = node.firstToken + 1
    guard nameToken < node.tokenEnd, tree.tokens[nameToken].kind == .identifier else {
      name = nil
      version = SchemaVersion(1, 0, 0)
      range = node.range
      problems = []
      return
    }
    name = tree.name(ofToken: nameToken)
    guard nameToken + 1 < node.tokenEnd else {
      version = SchemaVersion(1, 0, 0)
      range = node.range
      problems = [.versionMissing(tree.range(ofToken: nameToken))]
      return
    }
    range = tree.range(ofToken: nameToken + 1).union(tree.range(ofToken: node.tokenEnd - 1))
    let text = tree.file.text(from: range.start, to: range.end)
    if let version = SchemaVersion(text) {
      self.version = version
      problems = []
    } else {
      version = Self.completed(text).flatMap { SchemaVersion($0) } ?? SchemaVersion(1, 0, 0)
      problems = [.versionMalformed(range, text, completed: Self.completed(text))]
    }
  }

  /// Completes `1`, `1.2` or `v1.2` to a full version.
  private static func completed(_ text: String) -> String? {
    var parts = text.drop { $0 == "v" || $0 == "V" }.split(
      separator: ".", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    while parts.count < 3 { parts.append("0") }
    let joined = parts.joined(separator: ".")
    return SchemaVersion(joined)?.description
  }
}

extension SchemaVersion {
  /// Parses three numbers separated by periods.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let numbers = parts.compactMap { part in
      part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
    }
    guard numbers.count == 3 else { return nil }
    self.init(numbers[0], numbers[1], numbers[2])
  }
}

extension Diagnostic {
  fileprivate static func versionMissing(_ name: SourceRange) -> Self {
    let end = SourceRange(file: name.file, start: name.end, end: name.end)
    return Self(
      .missingVersion, at: name, "schema without a version",
      help: "write the version as major.minor.patch",
      fixIts: [.insert(" 1.0.0", at: end, title: "insert '1.0.0'")])
  }

  fileprivate static func versionMalformed(
    _ range: SourceRange, _ text: String, completed: String?
  ) -> Self {
    Self(
      .missingVersion, at: range, "'\(text)' is not a version of the form major.minor.patch",
      fixIts: completed.map { [.replace(range, with: $0, title: "write '\($0)'")] } ?? [])
  }
}
