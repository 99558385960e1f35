import SchemaDiagnostics
import SchemaModel

/// TYP018
struct NoIdentity: EntityRule {
  static let id = DiagnosticID("TYP018", "no-identity")
  static let severity = Severity.warning
  static let summary = "Objects that history tells of have an identity of their own."
  static let why = """
    Identifiers of a store mean nothing outside of it. Whoever follows the history to tell a server or \
    another store cannot say which object a change is about.
    """
  static let remedy = "Give the model an attribute that is unique, such as a UUID made when an object is."
  static let fix = FixKind.add
  static let profile: LintProfile? = .history
  static let example: RuleExample? = RuleExample(
    bad: "schema Trips 1.0.0\n@Model class Trip { var name: String }\n",
    good: """
      schema Trips 1.0.0
      @Model class Trip {
          @Attribute(.unique, .preserveValueOnDeletion) var code: UUID = UUID()
          var name: String
      }
      """)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    // Report once for a hierarchy, because submodels inherit from the root.
    guard entity.superentity == nil, entity.uniques.isEmpty else { return }
    context.report(
      Diagnostic(
        Self.id, Self.severity, at: entity.range,
        "nothing tells one '\(entity.name)' from another outside of its store",
        help: "add an attribute such as '@Attribute(.unique, .preserveValueOnDeletion) var code: UUID = UUID()'"))
  }
}
