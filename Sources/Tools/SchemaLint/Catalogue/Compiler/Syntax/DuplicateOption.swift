import SchemaDiagnostics

/// SYN004
struct DuplicateOption: RuleDescription {
  static let id = DiagnosticID.duplicateOption
  static let severity = Severity.error
  static let summary = "An attribute, option or argument is given at most once."
  static let why = "Two delete rules or two names contradict each other, so one of them would be ignored."
  static let remedy = "Remove the duplicate."
  static let fix = FixKind.auto
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.unique, .unique) var code: String
      }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.unique) var code: String
      }
      """#)
}
