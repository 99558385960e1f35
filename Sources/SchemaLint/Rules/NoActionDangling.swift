import SchemaDiagnostics
import SchemaModel

/// REL014
struct NoActionDangling: RelationshipRule {
  static let id = DiagnosticID("REL014", "no-action-dangling")
  static let severity = Severity.warning
  static let summary = "A relationship with an inverse has a delete rule other than '.noAction'."
  static let why = """
    When the owner is deleted the other side keeps a reference to an object that is gone.
    """
  static let remedy = "Use '.nullify', or write 'inverse: nil' and look after the references."
  static let fix = FixKind.ask

  func check(_ edge: RelationshipEdge, in context: inout LintContext) {
    guard edge.has(.noAction), let inverse = context.graph.inverse(of: edge) else { return }
    context.report(
      .noActionDangling(edge, inverse, context.sources.deleteRule(of: edge.relationship)))
  }
}

extension Diagnostic {
  fileprivate static func noActionDangling(
    _ edge: RelationshipEdge, _ inverse: RelationshipEdge, _ range: SourceRange
  ) -> Self {
    Self(
      NoActionDangling.id, NoActionDangling.severity, at: range,
      "deleting '\(edge.owner)' leaves '\(inverse.title)' with a reference to it",
      related: [.init(inverse.relationship.range, "the other side is here")],
      help: "use '.nullify'")
  }
}
