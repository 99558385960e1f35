import SchemaDiagnostics
import SchemaModel

/// TYP019
struct RequiredToMany: RelationshipRule {
  static let id = DiagnosticID("TYP019", "required-to-many")
  static let severity = Severity.info
  static let summary = "A relationship to many begins empty, and says so."
  static let why = """
    Generated initialisers take an empty list where none is given. Initialisers of your own have to \
    give one, and a SwiftData project does not compile without.
    """
  static let remedy = "Write '= []' behind the type."
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
        Self.id, Self.severity, at: edge.relationship.range, "'\(edge.title)' does not say that it begins empty",
        help: "write '= []'", fixIts: edit.map { [FixIt("begin with '[]'", [$0])] } ?? []))
  }
}
