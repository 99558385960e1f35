import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// CKT006
struct NoOrdered: RelationshipRule {
  static let id = DiagnosticID("CKT006", "no-ordered")
  static let severity = Severity.error
  static let summary = "A list that CloudKit synchronises has no order of its own."
  static let why = """
    Two devices that put members at the same place leave no order that both agree on. A store with an \
    ordered relationship is refused when it is loaded.
    """
  static let remedy = "Take '.ordered' away and sort by an attribute of the members."
  static let fix = FixKind.ask
  static let profile: LintProfile? = .cloudkit
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(.ordered, inverse: \Stop.trip) var stops: [Stop]? }
      @Model class Stop { var trip: Trip? }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(inverse: \Stop.trip) var stops: [Stop]? }
      @Model class Stop {
        var trip: Trip?
        var place: Int = 0
      }
      """#)

  func check(_ edge: RelationshipEdge, in context: inout LintContext) {
    guard edge.relationship.isOrdered else { return }
    let syntax = context.sources.property(edge.relationship.range)
    let edit = syntax?.removing("ordered", of: "Relationship")
    let range = syntax?.option("ordered", of: "Relationship")?.range ?? edge.relationship.range
    context.report(.noOrdered(edge, range, edit))
  }
}

extension Diagnostic {
  fileprivate static func noOrdered(_ edge: RelationshipEdge, _ range: SourceRange, _ edit: TextEdit?) -> Self {
    Self(
      NoOrdered.id, NoOrdered.severity, at: range,
      "'\(edge.title)' is ordered, which CloudKit does not keep",
      help: "sort by an attribute of '\(edge.relationship.destination)'",
      fixIts: edit.map { [FixIt("take '.ordered' away", [$0])] } ?? [])
  }
}
