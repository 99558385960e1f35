import SchemaDiagnostics

/// NAM006
struct GeneratedNameClash: RuleDescription {
  static let id = DiagnosticID.generatedNameClash
  static let severity = Severity.error
  static let summary = "A declaration does not use a name that the generated code needs."
  static let why = "The target would contain two types with the same name and would not compile."
  static let remedy = "Rename the declaration."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class SSchema { var name: String }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Plan { var name: String }
      """#)
}
