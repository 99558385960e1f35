import SchemaDiagnostics
import SchemaModel

/// REL005
struct NullifyIntoRequired: RelationshipRule {
  static let id = DiagnosticID("REL005", "nullify-into-required")
  static let severity = Severity.error
  static let summary = "A relationship that nullifies has an inverse that can be nil."
  static let why = """
    Deleting the owner sets the other side to nil, which it cannot be, so that every such delete \
    fails. '.nullify' is also what holds when no delete rule is written.
    """
  static let remedy = "Make the other side optional, or choose '.cascade' or '.deny'."
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { var trip: Trip }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { var trip: Trip }
      """#)

  func check(_ edge: RelationshipEdge, in context: inout LintContext) {
    guard edge.has(.nullify), let inverse = context.graph.inverse(of: edge), inverse.isRequired
    else { return }
    context.report(
      .nullifyIntoRequired(
        edge, inverse, context.sources.deleteRule(of: edge.relationship),
        context.choiceOfOptional(inverse) + context.choice(.cascade, at: edge) + context.choice(.deny, at: edge)))
  }
}

extension Diagnostic {
  fileprivate static func nullifyIntoRequired(
    _ edge: RelationshipEdge, _ inverse: RelationshipEdge, _ range: SourceRange,
    _ choices: [FixIt]
  ) -> Self {
    Self(
      NullifyIntoRequired.id, NullifyIntoRequired.severity, at: range,
      "deleting '\(edge.owner)' sets '\(inverse.title)' to nil, which it cannot be",
      related: [.init(inverse.relationship.range, "'\(inverse.title)' is required")],
      help: "make '\(inverse.title)' optional, or choose '.cascade' or '.deny' here",
      fixIts: choices)
  }
}
