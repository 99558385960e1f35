import Foundation
import TestSupport
import Testing

/// The grammar for highlighting in `Editors/vscode`.
@Suite(.serialized) struct GrammarTests {
  private let grammar: Grammar

  init() throws {
    grammar = try Grammar(
      Repository.root.appending(path: "Editors/vscode/syntaxes/trellis-schema.tmLanguage.json"))
  }

  /// The most specific scope of each word, without the grammar's name.
  private func words(_ text: String) throws -> [String] {
    try grammar.pieces(text).lines.joined().compactMap { piece in
      let word = piece.text.trimmingCharacters(in: .whitespaces)
      guard !word.isEmpty, let scope = piece.scopes.last, !scope.hasPrefix("meta") else { return nil }
      return "\(word) \(scope.replacing(".trellis-schema", with: ""))"
    }
  }

  @Test(arguments: [
    (
      "schema Trips 1.0.0",
      ["schema keyword.other.schema", "Trips entity.name.namespace", "1.0.0 constant.numeric.version"]
    ),
    ("/// A journey.", ["/// A journey. comment.line.documentation"]),
    ("@Model class Trip {", ["@Model storage.modifier.attribute", "class storage.type", "Trip entity.name.type"]),
    (
      "// schema:ignore NAM001 -- why",
      [
        "// punctuation.definition.comment", "schema:ignore keyword.other.suppression", "NAM001 constant.other.rule",
        "-- why comment.reason",
      ]
    ),
  ])
  func scopesOfWords(_ text: String, _ expected: [String]) throws {
    #expect(try words(text).prefix(expected.count) == expected[...])
  }

  /// All schemas of the package are split without a loss, and no region remains open at their end.
  @Test func schemasOfThePackage() throws {
    var count = 0
    for folder in ["Schemas", "Benchmarks/Schemas"] {
      let root = Repository.root.appending(path: folder)
      for case let path as String in FileManager.default.enumerator(atPath: root.path) ?? .init()
      where path.hasSuffix(".schema") && !path.contains(".build") {
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        // Large schemas repeat the same declarations.
        guard text.utf8.count < 20_000 else { continue }
        let (lines, open) = try grammar.pieces(text)
        #expect(lines.map { $0.map(\.text).joined() }.joined(separator: "\n") == text, "\(folder)/\(path)")
        #expect(open == [], "\(folder)/\(path)")
        count += 1
      }
    }
    #expect(count > 30)
  }
}
