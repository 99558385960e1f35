import SchemaDiagnostics
import SchemaModel

/// REL022
struct UnreachableEntity: LintRule {
  static let id = DiagnosticID("REL022", "unreachable-entity")
  static let severity = Severity.info
  static let summary = "Every model in a schema has a relationship, or is intentionally unrelated."
  static let why = """
    An unrelated model in a schema has often lost a relationship in an edit, or stores a related object's \
    identifier in an attribute.
    """
  static let remedy = "Declare the relationship, or confirm in a suppression that the model has none."
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
    // Report the root for the whole hierarchy.
    for entity in context.schema.entities where entity.superentity == nil && !related.contains(entity.name) {
      context.report(
        Diagnostic(
          Self.id, Self.severity, at: entity.range, "'\(entity.name)' is not connected by any relationship",
          help: "declare a relationship, or confirm that there is none: '// schema:ignore REL022 -- …'"))
    }
  }
}
