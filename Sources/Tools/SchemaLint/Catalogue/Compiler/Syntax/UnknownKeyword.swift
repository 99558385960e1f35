import SchemaDiagnostics

/// SYN002
struct UnknownKeyword: RuleDescription {
  static let id = DiagnosticID.unknownKeyword
  static let severity = Severity.error
  static let summary = "All attributes, macros, options and arguments are part of the schema language."
  static let why = "A misspelled option would be ignored, and the intended behavior would be missing."
  static let remedy = "Correct the spelling; the message suggests a similar name."
  static let fix = FixKind.auto
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.uniqe) var code: String
      }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.unique) var code: String
      }
      """#)
}
