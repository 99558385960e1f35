import SchemaDiagnostics
import SchemaModel

/// REL025
struct ParallelRelationships: LintRule {
  static let id = DiagnosticID("REL025", "parallel-relationships")
  static let severity = Severity.info
  static let summary = "Two relationships of a model to another one have names that tell them apart."
  static let why = """
    Names like 'stop' and 'stops', or 'guide1' and 'guide2', do not say what each is for, and one is \
    soon set instead of the other.
    """
  static let remedy = "Name each after what it is for, or make them one relationship to many."
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

  /// The name without numbers and plural endings.
  private static func gist(_ name: String) -> String {
    CamelCase.words(name).filter { $0.contains { $0.isLetter } }.map { EnglishNumber.singular($0) }.joined(
      separator: " ")
  }
}

extension Diagnostic {
  fileprivate static func parallel(_ first: RelationshipEdge, _ second: RelationshipEdge) -> Self {
    Self(
      ParallelRelationships.id, ParallelRelationships.severity, at: second.relationship.range,
      "'\(first.relationship.name)' and '\(second.relationship.name)' both lead to '\(second.relationship.destination)', "
        + "and their names do not tell them apart",
      related: [.init(first.relationship.range, "the other one is here")],
      help: "name each after what it is for")
  }
}
