import SchemaDiagnostics

/// NAM005
struct CaseOnlyDifference: RuleDescription {
  static let id = DiagnosticID.caseOnlyDifference
  static let severity = Severity.error
  static let summary = "Two names differ in more than capitals."
  static let why = """
    SQL and many file systems take them for one name, and one would be written over the other.
    """
  static let remedy = "Give one of them another name."
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
