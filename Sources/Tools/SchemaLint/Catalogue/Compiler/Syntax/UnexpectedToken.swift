import SchemaDiagnostics

/// SYN001
struct UnexpectedToken: RuleDescription {
  static let id = DiagnosticID.unexpectedToken
  static let severity = Severity.error
  static let summary = "The text of a schema file can be read to its end."
  static let why = "What cannot be read is not in the schema, and nothing can be generated from it."
  static let remedy = "Write what the message says was expected there."
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
