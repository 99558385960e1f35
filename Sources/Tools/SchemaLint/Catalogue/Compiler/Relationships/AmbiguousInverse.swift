import SchemaDiagnostics

/// REL002
struct AmbiguousInverse: RuleDescription {
  static let id = DiagnosticID.ambiguousInverse
  static let severity = Severity.error
  static let summary = "A relationship's inverse is unambiguous."
  static let why = "A guess could pair the wrong properties and corrupt the data permanently."
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
