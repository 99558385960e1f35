import SchemaDiagnostics

/// REL018
struct CountBounds: RuleDescription {
  static let id = DiagnosticID.countBounds
  static let severity = Severity.error
  static let summary = "A relationship's count bounds can be satisfied."
  static let why = "No number of members satisfies both bounds, so nothing could be saved."
  static let remedy = "Write a minimum that is not negative and not above the maximum."
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
