import SchemaDiagnostics

/// TYP017
struct DoubleOptional: RuleDescription {
  static let id = DiagnosticID.doubleOptional
  static let severity = Severity.error
  static let summary = "A type is optional at most once."
  static let why =
    "A column has a single NULL value, so the two kinds of nil could not be told apart after the next launch."
  static let remedy = "Remove a question mark; if the distinction matters, use an enum."
  static let fix = FixKind.auto
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var note: String?? }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var note: String? }
      """#)
}
