import SchemaDiagnostics
import SchemaModel

/// REL010
struct CascadeOnManyToMany: RelationshipRule {
  static let id = DiagnosticID("REL010", "cascade-on-many-to-many")
  static let severity = Severity.warning
  static let summary = "A many-to-many relationship does not cascade."
  static let why = """
    A shared object is deleted with the first object that shares it; the remaining objects lose it although \
    they were not changed.
    """
  static let remedy = """
    Nullify, and delete objects explicitly once they are unused; or make the relationship one-to-many if \
    objects are not meant to be shared.
    """
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Note { @Relationship(deleteRule: .cascade, inverse: \Tag.notes) var tags: [Tag] = [] }
      @Model class Tag { var notes: [Note] = [] }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Note { @Relationship(deleteRule: .nullify, inverse: \Tag.notes) var tags: [Tag] = [] }
      @Model class Tag { var notes: [Note] = [] }
      """#)

  func check(_ edge: RelationshipEdge, in context: inout LintContext) {
    guard edge.has(.cascade), edge.isToMany, let inverse = context.graph.inverse(of: edge),
      inverse.isToMany, !inverse.has(.cascade)
    else { return }
    context.report(
      .cascadeOnManyToMany(
        edge, inverse, context.sources.deleteRule(of: edge.relationship), context.choice(.nullify, at: edge)))
  }
}

extension Diagnostic {
  fileprivate static func cascadeOnManyToMany(
    _ edge: RelationshipEdge, _ inverse: RelationshipEdge, _ range: SourceRange,
    _ choices: [FixIt]
  ) -> Self {
    let shared = edge.relationship.destination
    return Self(
      CascadeOnManyToMany.id, CascadeOnManyToMany.severity, at: range,
      "deleting a single '\(edge.owner)' deletes every related '\(shared)', including shared objects",
      related: [.init(inverse.relationship.range, "'\(shared)' can have several '\(edge.owner)' objects")],
      help: "use '.nullify'", fixIts: choices)
  }
}
