import SchemaDiagnostics
import SchemaModel

/// REL005
struct NullifyIntoRequired: RelationshipRule {
  static let id = DiagnosticID("REL005", "nullify-into-required")
  static let severity = Severity.error
  static let summary = "The inverse of a relationship with the delete rule '.nullify' is optional."
  static let why = """
    Deleting the owner sets the inverse to nil. A required inverse cannot be nil, so every such deletion \
    fails. '.nullify' is also the default delete rule.
    """
  static let remedy = "Make the inverse optional, or use '.cascade' or '.deny'."
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
      "deleting '\(edge.owner)' sets '\(inverse.title)' to nil, but it is required",
      related: [.init(inverse.relationship.range, "'\(inverse.title)' is declared here")],
      help: "make '\(inverse.title)' optional, or use '.cascade' or '.deny' here",
      fixIts: choices)
  }
}
