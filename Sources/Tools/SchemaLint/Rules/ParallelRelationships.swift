import SchemaDiagnostics
import SchemaModel

/// REL025
struct ParallelRelationships: LintRule {
  static let id = DiagnosticID("REL025", "parallel-relationships")
  static let severity = Severity.info
  static let summary = "Relationships between the same two models have distinctive names."
  static let why =
    "Names such as 'stop' and 'stops', or 'guide1' and 'guide2', do not describe the purpose, and are easily confused."
  static let remedy = "Name each relationship after its purpose, or replace them with a single to-many relationship."
  static let presence = RulePresence.strict
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip {
          @Relationship(inverse: nil) var guide1: Guide?
          @Relationship(inverse: nil) var guide2: Guide?
      }
      @Model class Guide { var name: String }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip {
          @Relationship(inverse: nil) var guide: Guide?
          @Relationship(inverse: nil) var substitute: Guide?
      }
      @Model class Guide { var name: String }
      """#)

  private struct Key: Hashable {
    var owner: String
    var destination: String
    var name: String
  }

  func run(in context: inout LintContext) {
    var seen: [Key: RelationshipEdge] = [:]
    for edge in context.graph.edges {
      let key = Key(
        owner: edge.owner, destination: edge.relationship.destination, name: Self.gist(edge.relationship.name))
      if let first = seen[key] {
        context.report(.parallel(first, edge))
      } else {
        seen[key] = edge
      }
    }
  }

  /// Returns the name with numbers and plural endings removed.
  private static func gist(_ name: String) -> String {
    CamelCase.words(name).filter { $0.contains { $0.isLetter } }.map { EnglishNumber.singular($0) }.joined(
      separator: " ")
  }
}

extension Diagnostic {
  fileprivate static func parallel(_ first: RelationshipEdge, _ second: RelationshipEdge) -> Self {
    Self(
      ParallelRelationships.id, ParallelRelationships.severity, at: second.relationship.range,
      "'\(first.relationship.name)' and '\(second.relationship.name)' both refer to "
        + "'\(second.relationship.destination)', but their names do not distinguish them",
      related: [.init(first.relationship.range, "the first relationship is here")],
      help: "name each relationship after its purpose")
  }
}
