import SchemaDiagnostics
import SchemaModel

/// CKT003
struct RelationshipOptional: RelationshipRule {
  static let id = DiagnosticID("CKT003", "relationship-optional")
  static let severity = Severity.error
  static let summary = "A relationship that CloudKit synchronizes is optional, even if it is to-many."
  static let why = """
    Records arrive individually: an object may exist before the objects it refers to. A store with a \
    required relationship fails to load.
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
      "relationship '\(edge.title)' is not optional, which CloudKit does not support",
      help: "make it optional", fixIts: edit.map { [FixIt("make it optional", [$0])] } ?? [])
  }
}
