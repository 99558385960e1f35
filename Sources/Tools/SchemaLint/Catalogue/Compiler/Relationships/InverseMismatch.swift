import SchemaDiagnostics

/// REL003
struct InverseMismatch: RuleDescription {
  static let id = DiagnosticID.inverseMismatch
  static let severity = Severity.error
  static let summary = "Both sides of a relationship name each other."
  static let why = "Setting one side would change a property that does not lead back."
  static let remedy = """
    Name a property of the destination that leads back, and that is nobody else's other side.
    """
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
