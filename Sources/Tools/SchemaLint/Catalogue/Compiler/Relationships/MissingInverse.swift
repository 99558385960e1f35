import SchemaDiagnostics

/// REL001
struct MissingInverse: RuleDescription {
  static let id = DiagnosticID.missingInverse
  static let severity = Severity.warning
  static let summary = "A relationship has an inverse, or declares that it has none."
  static let why = """
    Without an inverse, the destination cannot list the objects that refer to it, and it cannot declare a \
    delete rule for them: deleting it clears optional references and fails while required references \
    exist.
    """
  static let remedy = "Declare the inverse, or write '@Relationship(inverse: nil)' if it is intentionally missing."
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
