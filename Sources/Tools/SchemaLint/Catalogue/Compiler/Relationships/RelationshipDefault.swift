import SchemaDiagnostics

/// REL024
struct RelationshipDefault: RuleDescription {
  static let id = DiagnosticID.relationshipDefault
  static let severity = Severity.error
  static let summary = "A to-one relationship does not have an object as the default value."
  static let why = "Creating an object would also create the default object, even during a fetch or migration."
  static let remedy = "Set the relationship in an initializer; the only allowed default is 'nil'."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var guide: Guide? = Guide() }
      @Model class Guide { var trips: [Trip] = [] }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var guide: Guide? = nil }
      @Model class Guide { var trips: [Trip] = [] }
      """#)
}
