import SchemaDiagnostics

/// NAM005
struct CaseOnlyDifference: RuleDescription {
  static let id = DiagnosticID.caseOnlyDifference
  static let severity = Severity.error
  static let summary = "Names differ in more than letter case."
  static let why = "SQL and many file systems ignore letter case, so the second name would overwrite the first."
  static let remedy = "Rename either declaration."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip {
        var code: String
        var Code: Int
      }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        var code: String
        var number: Int
      }
      """#)
}
