import SchemaDiagnostics
import SchemaModel

/// REL015
struct ImplicitDeleteRule: RelationshipRule {
  static let id = DiagnosticID("REL015", "implicit-delete-rule")
  static let severity = Severity.info
  static let summary = "Every relationship says what a deletion does."
  static let why = """
    Without a rule '.nullify' holds, also where nobody thought about it: objects stay behind that only \
    the deleted one led to.
    """
  static let remedy = "Write 'deleteRule: .nullify', or the rule that was meant."
  static let fix = FixKind.auto
  static let presence = RulePresence.strict
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { var trip: Trip? }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { @Relationship(deleteRule: .nullify) var trip: Trip? }
      """#)

  func check(_ edge: RelationshipEdge, in context: inout LintContext) {
    guard let property = context.sources.property(edge.relationship.range), property.deleteRule == nil
    else { return }
    context.report(.implicitDeleteRule(edge, property.setting(.nullify)))
  }
}

extension Diagnostic {
  fileprivate static func implicitDeleteRule(_ edge: RelationshipEdge, _ edit: TextEdit?) -> Self {
    Self(
      ImplicitDeleteRule.id, ImplicitDeleteRule.severity, at: edge.relationship.range,
      "'\(edge.title)' has no delete rule: '.nullify' holds", help: "write the rule that is meant",
      fixIts: edit.map { [FixIt("write '.nullify'", [$0])] } ?? [])
  }
}
