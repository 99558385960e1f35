import SchemaDiagnostics
import SchemaModel

/// REL015
struct ImplicitDeleteRule: RelationshipRule {
  static let id = DiagnosticID("REL015", "implicit-delete-rule")
  static let severity = Severity.info
  static let summary = "Every relationship declares a delete rule."
  static let why = """
    The default is '.nullify', which may be unintended: objects that only the deleted object referred to \
    remain in the store.
    """
  static let remedy = "Write 'deleteRule: .nullify', or the intended rule."
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
      "'\(edge.title)' has no delete rule and defaults to '.nullify'", help: "write the intended rule",
      fixIts: edit.map { [FixIt("write '.nullify'", [$0])] } ?? [])
  }
}
