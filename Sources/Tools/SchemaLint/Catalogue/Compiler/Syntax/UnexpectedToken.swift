import SchemaDiagnostics

/// SYN001
struct UnexpectedToken: RuleDescription {
  static let id = DiagnosticID.unexpectedToken
  static let severity = Severity.error
  static let summary = "A schema file can be parsed to the end."
  static let why = "Text that cannot be parsed is not part of the schema, and nothing can be generated from it."
  static let remedy = "Write the token that the message expects."
  static let fix = FixKind.auto
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip {
        var name String
      }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        var name: String
      }
      """#)
}
