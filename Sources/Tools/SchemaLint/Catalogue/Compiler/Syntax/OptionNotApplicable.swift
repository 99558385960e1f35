import SchemaDiagnostics

/// SYN005
struct OptionNotApplicable: RuleDescription {
  static let id = DiagnosticID.optionNotApplicable
  static let severity = Severity.error
  static let summary = "An option stands where it means something."
  static let why = """
    An option on the wrong thing has no effect, and whoever wrote it believes that it has.
    """
  static let remedy = "Take the option away, or put it on what it was meant for."
  static let fix = FixKind.auto
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.json) var size: Int
      }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.json) var names: [String]
      }
      """#)
}
