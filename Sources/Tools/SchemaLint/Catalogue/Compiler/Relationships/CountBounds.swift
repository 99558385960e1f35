import SchemaDiagnostics

/// REL018
struct CountBounds: RuleDescription {
  static let id = DiagnosticID.countBounds
  static let severity = Severity.error
  static let summary = "The bounds of a count can be kept."
  static let why = "Nothing could be saved that is both."
  static let remedy = "Write a least count that is not above the greatest one, and none below zero."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(minimumModelCount: 3, maximumModelCount: 2) var stops: [Stop] = [] }
      @Model class Stop { var trip: Trip? }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(minimumModelCount: 2, maximumModelCount: 3) var stops: [Stop] = [] }
      @Model class Stop { var trip: Trip? }
      """#)
}
