import SchemaDiagnostics
import SchemaModel

/// REL022
struct UnreachableEntity: LintRule {
  static let id = DiagnosticID("REL022", "unreachable-entity")
  static let severity = Severity.info
  static let summary = "Every model of a schema is related to another one, or meant not to be."
  static let why = """
    Among models that are related, one that is not has often lost its relationship in an edit, or holds \
    the identifier of another one in an attribute.
    """
  static let remedy = "Declare the relationship, or say in a suppression that the model stands alone."
  static let presence = RulePresence.strict
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { var trip: Trip? }
      @Model class Photo { var stop: UUID }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { var trip: Trip?; @Relationship(inverse: \Photo.stop) var photos: [Photo] = [] }
      @Model class Photo { var stop: Stop? }
      """#)

  func run(in context: inout LintContext) {
    let graph = context.graph
    guard !graph.edges.isEmpty else { return }
    let related = Set(graph.edges.flatMap { [graph.root(of: $0.owner), graph.root(of: $0.relationship.destination)] })
    // Report the root for its hierarchy.
    for entity in context.schema.entities where entity.superentity == nil && !related.contains(entity.name) {
      context.report(
        Diagnostic(
          Self.id, Self.severity, at: entity.range, "no relationship leads to '\(entity.name)' or from it",
          help: "declare one, or say that the model stands alone: '// schema:ignore REL022 -- …'"))
    }
  }
}
