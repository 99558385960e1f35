import SchemaGraph
import SchemaModel
import Testing

@testable import TestSupport

/// Compares the explained consequences with the tables in `MatrixTables`. RelationshipTests checks each row of these
/// tables at run time.
struct DeleteMatrixTests {
  struct Shape: CustomTestStringConvertible {
    var testDescription: String
    var table: String
    /// The schema with the placeholders `OWN` and `OTHER` for the rules.
    var schema: String
    /// The model of each of the objects `a`, `b`, `c` and `d`.
    var models: [Character: String]
  }

  private static func pair(_ name: String, _ table: String, _ own: String, _ other: String, _ options: String = "")
    -> Shape
  {
    Shape(
      testDescription: name, table: table,
      schema: """
        schema S 1.0.0
        @Model class A { @Relationship(deleteRule: .OWN, inverse: \\B.there) var here: \(own) }
        @Model class B { @Relationship(deleteRule: .OTHER\(options)) var there: \(other) }
        """, models: ["a": "A", "b": "B", "c": "B", "d": "A"])
  }

  private static func one(_ name: String, _ table: String, _ lines: String, _ models: [Character: String]) -> Shape {
    Shape(
      testDescription: name, table: table,
      schema: "schema S 1.0.0\n@Model class A { \(lines) }\n@Model class B { var x: Int? }",
      models: models)
  }

  static let alike: [Character: String] = ["a": "A", "b": "A", "c": "A", "d": "A"]
  static let others: [Character: String] = ["a": "A", "b": "B", "c": "B"]

  static let shapes: [Shape] = [
    pair("oneToOne", MatrixTables.oneToOne, "B?", "A?"),
    pair("oneToOneRequired", MatrixTables.oneToOneRequired, "B?", "A"),
    pair("oneToMany", MatrixTables.oneToMany, "[B] = []", "A?"),
    pair("oneToManyRequired", MatrixTables.oneToManyRequired, "[B] = []", "A"),
    pair("manyToMany", MatrixTables.manyToMany, "[B] = []", "[A] = []"),
    pair("manyToManyRequired", MatrixTables.manyToManyRequired, "[B] = []", "[A] = []", ", minimumModelCount: 1"),
    one(
      "tree", MatrixTables.tree,
      "@Relationship(deleteRule: .OWN, inverse: \\A.there) var here: [A] = []; @Relationship(deleteRule: .OTHER) var there: A?",
      alike),
    one(
      "chain", MatrixTables.chain,
      "@Relationship(deleteRule: .OWN, inverse: \\A.there) var here: A?; @Relationship(deleteRule: .OTHER) var there: A?",
      alike),
    one("spouse", MatrixTables.spouse, "@Relationship(deleteRule: .OWN, inverse: \\A.here) var here: A?", alike),
    one(
      "friends", MatrixTables.friends, "@Relationship(deleteRule: .OWN, inverse: \\A.here) var here: [A] = []", alike),
    one("target", MatrixTables.target, "@Relationship(deleteRule: .OWN, inverse: nil) var here: B?", others),
    one("targets", MatrixTables.targets, "@Relationship(deleteRule: .OWN, inverse: nil) var here: [B] = []", others),
    one(
      "targetRequired", MatrixTables.targetRequired, "@Relationship(deleteRule: .OWN, inverse: nil) var here: B", others
    ),
  ]

  @Test(arguments: shapes)
  func explanationsMatchTheTables(_ shape: Shape) throws {
    let everyone = Set(Self.names(in: shape))
    var rows = 0
    for line in shape.table.split(separator: "\n") {
      let cells = line.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
      let rules = cells[0].split(separator: " ").map(String.init)
      let text = shape.schema.replacing("OWN", with: rules[0]).replacing("OTHER", with: rules.last ?? "")
      let schema = try diagramSchema(text)
      for (deleted, result) in zip("ab", cells.dropFirst()) {
        let root = try #require(shape.models[deleted])
        let found = try #require(DeleteConsequences(of: root, in: schema, files: []))
        check(result, of: deleted, root, found, shape, everyone, "\(shape.testDescription) \(cells[0]) \(deleted)")
        rows += 1
      }
    }
    #expect(rows >= 8)
  }

  private static func names(in shape: Shape) -> String {
    ["tree", "manyToMany", "manyToManyRequired"].contains(shape.testDescription)
      ? "abcd"
      : ["oneToOne", "oneToOneRequired", "spouse", "target", "targetRequired"].contains(shape.testDescription)
        ? "ab" : "abc"
  }

  private func check(
    _ result: String, of deleted: Character, _ root: String, _ found: DeleteConsequences, _ shape: Shape,
    _ everyone: Set<Character>, _ place: String
  ) {
    func effects(_ kinds: DeletionEffect.Kind...) -> Set<String> {
      Set(found.effects.filter { kinds.contains($0.kind) }.map(\.model))
    }
    let words = result.split(separator: " ").map(String.init)
    if words.first == "denied" || words.first == "invalid" {
      var expected: Set<String> = []
      for word in words {
        if word == "denied" {
          expected = effects(.denied)
        } else if word == "invalid" {
          expected = effects(.required, .tooFew)
        } else {
          #expect(expected.contains(word.first.flatMap { shape.models[$0] } ?? ""), "\(place): \(word)")
        }
      }
      return
    }
    let left = Set(words.compactMap(\.first).filter { $0 != "-" })
    let gone = everyone.subtracting(left).subtracting([deleted])
    for name in gone {
      let model = shape.models[name] ?? ""
      #expect(model == root ? found.models[model] == .all : found.models[model] != nil, "\(place): \(name)")
    }
    for model in found.models.keys where model != root {
      #expect(gone.contains { shape.models[$0] == model }, "\(place): '\(model)' does not go")
    }
    for word in words where word.hasSuffix(":?") {
      let model = word.first.flatMap { shape.models[$0] } ?? ""
      #expect(effects(.readsPlaceholder).contains(model), "\(place): \(word)")
    }
    // These shapes contain no other model whose deletion could make the save possible.
    if ["oneToOne", "oneToOneRequired", "spouse", "target", "targetRequired"].contains(shape.testDescription) {
      #expect(found.effects.allSatisfy { !$0.isBlocking || $0.mayDieToo }, "\(place)")
    }
  }
}
