import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// CKT005
struct NoDeny: RelationshipRule {
  static let id = DiagnosticID("CKT005", "no-deny")
  static let severity = Severity.error
  static let summary = "A relationship that CloudKit synchronizes does not have the delete rule '.deny'."
  static let why = """
    Another device may already have deleted the object, and this device cannot prevent that. A store with the \
    delete rule '.deny' fails to load.
    """
  static let remedy = "Use '.nullify' or '.cascade', and let the app confirm deletions."
  static let fix = FixKind.ask
  static let profile: LintProfile? = .cloudkit
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(deleteRule: .deny, inverse: \Stop.trip) var stops: [Stop]? }
      @Model class Stop { var trip: Trip? }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(deleteRule: .nullify, inverse: \Stop.trip) var stops: [Stop]? }
      @Model class Stop { var trip: Trip? }
      """#)

  func check(_ edge: RelationshipEdge, in context: inout LintContext) {
    guard edge.has(.deny) else { return }
    let rule = context.sources.property(edge.relationship.range)?.deleteRule
    let fixIts = [DeleteRule.nullify, .cascade].compactMap { other in
      rule.map { rule in
        let text = rule.label == nil ? ".\(other.rawValue)" : "deleteRule: .\(other.rawValue)"
        return FixIt.replace(rule.range, with: text, title: "write '.\(other.rawValue)'")
      }
    }
    context.report(.noDeny(edge, rule?.range ?? edge.relationship.range, fixIts))
  }
}

extension Diagnostic {
  fileprivate static func noDeny(_ edge: RelationshipEdge, _ range: SourceRange, _ fixIts: [FixIt]) -> Self {
    Self(
      NoDeny.id, NoDeny.severity, at: range,
      "'\(edge.title)' denies deletions, which CloudKit does not support",
      help: "use '.nullify' or '.cascade'", fixIts: fixIts)
  }
}
