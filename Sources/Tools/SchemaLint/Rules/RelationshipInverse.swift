import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// CKT004
struct RelationshipInverse: RelationshipRule {
  static let id = DiagnosticID("CKT004", "relationship-inverse")
  static let severity = Severity.error
  static let summary = "A relationship that CloudKit synchronizes has an inverse, even if the app does not use it."
  static let why = """
    Records arrive individually, and a reference is completed from either end. A store with a relationship \
    that has no inverse fails to load.
    """
  static let remedy = "Declare the inverse in the destination model, and remove 'inverse: nil'."
  static let fix = FixKind.add
  static let profile: LintProfile? = .cloudkit
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(inverse: nil) var stops: [Stop]? }
      @Model class Stop { var name: String = "" }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var stops: [Stop]? }
      @Model class Stop { var trip: Trip? }
      """#)

  func check(_ edge: RelationshipEdge, in context: inout LintContext) {
    guard edge.relationship.inverse == .none else { return }
    let written = context.sources.property(edge.relationship.range)?.inverse
    // If 'inverse: nil' is not written, the compiler already reports the missing inverse.
    if written == nil, context.settings.runs(MissingInverse.self) { return }
    context.report(.relationshipInverse(edge, written?.range ?? edge.relationship.range))
  }
}

extension Diagnostic {
  fileprivate static func relationshipInverse(_ edge: RelationshipEdge, _ range: SourceRange) -> Self {
    Self(
      RelationshipInverse.id, RelationshipInverse.severity, at: range,
      "relationship '\(edge.title)' has no inverse, which CloudKit does not support",
      help: "declare the inverse in '\(edge.relationship.destination)'")
  }
}
