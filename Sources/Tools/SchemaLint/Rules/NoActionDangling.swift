import SchemaDiagnostics
import SchemaModel

/// REL014
struct NoActionDangling: RelationshipRule {
  static let id = DiagnosticID("REL014", "no-action-dangling")
  static let severity = Severity.warning
  static let summary = "A relationship with an inverse has a delete rule other than '.noAction'."
  static let why = "When the owner is deleted, the inverse keeps a reference to a deleted object."
  static let remedy = "Use '.nullify', or write 'inverse: nil' and clean up the references in code."
  static let fix = FixKind.ask
  static let raises = [RuleRaise(.strict, .error)]
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(deleteRule: .noAction, inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { var trip: Trip? }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(deleteRule: .nullify, inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { var trip: Trip? }
      """#)

  func check(_ edge: RelationshipEdge, in context: inout LintContext) {
    guard edge.has(.noAction), let inverse = context.graph.inverse(of: edge) else { return }
    context.report(
      .noActionDangling(
        edge, inverse, context.sources.deleteRule(of: edge.relationship), context.choice(.nullify, at: edge)))
  }
}

extension Diagnostic {
  fileprivate static func noActionDangling(
    _ edge: RelationshipEdge, _ inverse: RelationshipEdge, _ range: SourceRange,
    _ choices: [FixIt]
  ) -> Self {
    Self(
      NoActionDangling.id, NoActionDangling.severity, at: range,
      "deleting '\(edge.owner)' leaves a dangling reference in '\(inverse.title)'",
      related: [.init(inverse.relationship.range, "the inverse is declared here")],
      help: "use '.nullify'", fixIts: choices)
  }
}
