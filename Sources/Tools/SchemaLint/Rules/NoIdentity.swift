import SchemaDiagnostics
import SchemaModel

/// TYP018
struct NoIdentity: EntityRule {
  static let id = DiagnosticID("TYP018", "no-identity")
  static let severity = Severity.warning
  static let summary = "Objects recorded in the history have a unique key."
  static let why = """
    Store identifiers have no meaning outside the store. A history reader that updates a server or a second \
    store cannot determine which object changed.
    """
  static let remedy = "Add a unique attribute, such as a UUID created with the object."
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
        "'\(entity.name)' objects cannot be identified outside their store",
        help: "add an attribute such as '@Attribute(.unique, .preserveValueOnDeletion) var code: UUID = UUID()'"))
  }
}
