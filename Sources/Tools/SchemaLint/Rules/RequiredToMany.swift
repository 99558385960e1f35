import SchemaDiagnostics
import SchemaModel

/// TYP019
struct RequiredToMany: RelationshipRule {
  static let id = DiagnosticID("TYP019", "required-to-many")
  static let severity = Severity.info
  static let summary = "A to-many relationship declares an empty initial value."
  static let why = """
    Generated initializers default to an empty list. Custom initializers must assign a list, and a SwiftData \
    project does not compile if the default is missing.
    """
  static let remedy = "Write '= []' after the type."
  static let fix = FixKind.auto
  static let presence = RulePresence.strict
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(inverse: \Stop.trip) var stops: [Stop] }
      @Model class Stop { var trip: Trip? }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { var trip: Trip? }
      """#)

  func check(_ edge: RelationshipEdge, in context: inout LintContext) {
    guard case .toMany(isOptional: false) = edge.relationship.cardinality, edge.relationship.defaultValue == nil
    else { return }
    let edit = context.sources.property(edge.relationship.range)?.beginning(with: "[]")
    context.report(
      Diagnostic(
        Self.id, Self.severity, at: edge.relationship.range, "'\(edge.title)' does not declare an empty initial value",
        help: "write '= []'", fixIts: edit.map { [FixIt("add the default value '[]'", [$0])] } ?? []))
  }
}
