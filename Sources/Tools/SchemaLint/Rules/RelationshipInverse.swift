import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// CKT004
struct RelationshipInverse: RelationshipRule {
  static let id = DiagnosticID("CKT004", "relationship-inverse")
  static let severity = Severity.error
  static let summary = "A relationship that CloudKit synchronises has another side, also where none is meant."
  static let why = """
    Records come one by one, and a reference is completed from either end. A store with a relationship \
    that has no inverse is refused when it is loaded.
    """
  static let remedy = "Declare the other side in the model at the other end, and take 'inverse: nil' away."
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
    // Without an explicit inverse, the compiler already reports it.
    if written == nil, context.settings.runs(MissingInverse.self) { return }
    context.report(.relationshipInverse(edge, written?.range ?? edge.relationship.range))
  }
}

extension Diagnostic {
  fileprivate static func relationshipInverse(_ edge: RelationshipEdge, _ range: SourceRange) -> Self {
    Self(
      RelationshipInverse.id, RelationshipInverse.severity, at: range,
      "relationship '\(edge.title)' has no inverse, which CloudKit does not take",
      help: "declare the other side in '\(edge.relationship.destination)'")
  }
}
