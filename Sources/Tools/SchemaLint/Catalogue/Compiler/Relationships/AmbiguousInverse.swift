import SchemaDiagnostics

/// REL002
struct AmbiguousInverse: RuleDescription {
  static let id = DiagnosticID.ambiguousInverse
  static let severity = Severity.error
  static let summary = "The other side of a relationship is one property and not one of several."
  static let why = "A guess would join the wrong properties, and the data would be wrong for good."
  static let remedy = "Write 'inverse:' on one side of each pair."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var stops: [Stop] = [] }
      @Model class Stop {
        var first: Trip?
        var last: Trip?
      }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(inverse: \Stop.first) var starts: [Stop] = []
        @Relationship(inverse: \Stop.last) var ends: [Stop] = []
      }
      @Model class Stop {
        var first: Trip?
        var last: Trip?
      }
      """#)
}
