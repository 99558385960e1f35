import SchemaDiagnostics

/// SYN002
struct UnknownKeyword: RuleDescription {
  static let id = DiagnosticID.unknownKeyword
  static let severity = Severity.error
  static let summary = "Attributes, macros, options and arguments are ones that exist."
  static let why = "A misspelt option would mean nothing, and what was asked for would not be done."
  static let remedy = "Write the name as the language has it; the message says which one is near."
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
