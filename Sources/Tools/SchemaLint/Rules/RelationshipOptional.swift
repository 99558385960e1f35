import SchemaDiagnostics
import SchemaModel

/// CKT003
struct RelationshipOptional: RelationshipRule {
  static let id = DiagnosticID("CKT003", "relationship-optional")
  static let severity = Severity.error
  static let summary = "A relationship that CloudKit synchronises is optional, to many as well."
  static let why = """
    Records come one by one: an object is there before those it refers to. A store with a required \
    relationship is refused when it is loaded.
    """
  static let remedy = "Make the relationship optional; a list becomes '[Stop]?'."
  static let fix = FixKind.ask
  static let profile: LintProfile? = .cloudkit
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var stops: [Stop] = [] }
      @Model class Stop { var trip: Trip? }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var stops: [Stop]? = [] }
      @Model class Stop { var trip: Trip? }
      """#)

  func check(_ edge: RelationshipEdge, in context: inout LintContext) {
    switch edge.relationship.cardinality {
    case .toOne(isOptional: true), .toMany(isOptional: true): return
    case .toOne, .toMany: break
    }
    let edit = context.sources.property(edge.relationship.range)?.makingOptional
    context.report(.relationshipOptional(edge, edit))
  }
}

extension Diagnostic {
  fileprivate static func relationshipOptional(_ edge: RelationshipEdge, _ edit: TextEdit?) -> Self {
    Self(
      RelationshipOptional.id, RelationshipOptional.severity, at: edge.relationship.range,
      "relationship '\(edge.title)' is not optional, which CloudKit does not take",
      help: "make it optional", fixIts: edit.map { [FixIt("make it optional", [$0])] } ?? [])
  }
}
