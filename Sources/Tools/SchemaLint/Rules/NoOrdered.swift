import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// CKT006
struct NoOrdered: RelationshipRule {
  static let id = DiagnosticID("CKT006", "no-ordered")
  static let severity = Severity.error
  static let summary = "A list that CloudKit synchronizes is unordered."
  static let why = """
    If two devices insert members at the same position, they cannot agree on an order. A store with an \
    ordered relationship fails to load.
    """
  static let remedy = "Remove '.ordered' and sort by an attribute in the members' model."
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
      "'\(edge.title)' is ordered, which CloudKit does not support",
      help: "sort by an attribute in '\(edge.relationship.destination)'",
      fixIts: edit.map { [FixIt("remove '.ordered'", [$0])] } ?? [])
  }
}
