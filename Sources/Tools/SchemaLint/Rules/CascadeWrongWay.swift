import SchemaDiagnostics
import SchemaModel

/// REL007
struct CascadeWrongWay: RelationshipRule {
  static let id = DiagnosticID("REL007", "cascade-wrong-way")
  static let severity = Severity.warning
  static let summary = "In a one-to-many relationship, the parent cascades, not the children."
  static let why = """
    A delete rule applies to the relationship's destination. On the child, '.cascade' deletes the parent \
    together with the child and keeps the siblings.
    """
  static let remedy = "Move '.cascade' to the inverse."
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { @Relationship(deleteRule: .cascade) var trip: Trip? }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { @Relationship(deleteRule: .nullify) var trip: Trip? }
      """#)

  func check(_ edge: RelationshipEdge, in context: inout LintContext) {
    guard edge.has(.cascade), !edge.isToMany, let inverse = context.graph.inverse(of: edge),
      inverse.isToMany, !inverse.has(.cascade)
    else { return }
    let choices = context.choice(
      "move '.cascade' to '\(inverse.title)'", context.sources.property(edge.relationship.range)?.setting(.nullify),
      context.sources.property(inverse.relationship.range)?.setting(.cascade))
    context.report(
      .cascadeWrongWay(edge, inverse, context.sources.deleteRule(of: edge.relationship), choices))
  }
}

extension Diagnostic {
  fileprivate static func cascadeWrongWay(
    _ edge: RelationshipEdge, _ inverse: RelationshipEdge, _ range: SourceRange,
    _ choices: [FixIt]
  ) -> Self {
    Self(
      CascadeWrongWay.id, CascadeWrongWay.severity, at: range,
      "deleting a member of '\(inverse.title)' deletes the '\(inverse.owner)' that contains all members",
      related: [.init(inverse.relationship.range, "the inverse is declared here")],
      help: "move '.cascade' to '\(inverse.title)'", fixIts: choices)
  }
}
