import SchemaDiagnostics

/// REL001
struct MissingInverse: RuleDescription {
  static let id = DiagnosticID.missingInverse
  static let severity = Severity.warning
  static let summary = "A relationship has another side, or says that it has none."
  static let why = """
    Without one the model at the other end does not know who refers to it: deleting it looks at \
    nobody, and nothing is updated when it moves.
    """
  static let remedy = """
    Declare the other side, or write '@Relationship(inverse: nil)' if there is none on purpose.
    """
  static let fix = FixKind.add
  static let raises = [RuleRaise(.profile(.cloudkit), .error)]
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var stops: [Stop] = [] }
      @Model class Stop { var name: String }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var stops: [Stop] = [] }
      @Model class Stop {
        var name: String
        var trip: Trip?
      }
      """#)
}
