import SchemaDiagnostics

/// REL003
struct InverseMismatch: RuleDescription {
  static let id = DiagnosticID.inverseMismatch
  static let severity = Severity.error
  static let summary = "Both sides of a relationship refer to each other."
  static let why = "Setting the relationship would change a property that does not refer back."
  static let remedy =
    "Name a property of the destination that refers back and is not the inverse of a different relationship."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(inverse: \Stop.owner) var stops: [Stop] = [] }
      @Model class Stop { var owner: Person? }
      @Model class Person { @Relationship(inverse: nil) var home: Stop? }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { var trip: Trip? }
      """#)
}
