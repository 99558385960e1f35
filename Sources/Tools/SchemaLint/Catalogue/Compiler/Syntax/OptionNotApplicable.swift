import SchemaDiagnostics

/// SYN005
struct OptionNotApplicable: RuleDescription {
  static let id = DiagnosticID.optionNotApplicable
  static let severity = Severity.error
  static let summary = "An option is used only where it applies."
  static let why = "A misplaced option has no effect, although the source suggests that it does."
  static let remedy = "Remove the option, or move it to the intended declaration."
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
