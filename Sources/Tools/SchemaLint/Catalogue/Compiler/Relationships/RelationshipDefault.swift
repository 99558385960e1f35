import SchemaDiagnostics

/// REL024
struct RelationshipDefault: RuleDescription {
  static let id = DiagnosticID.relationshipDefault
  static let severity = Severity.error
  static let summary = "A reference to a model has no object as its default value."
  static let why = """
    Every object would make another one, also those that a fetch or a migration makes.
    """
  static let remedy = "Set it in an initialiser; only 'nil' may stand there."
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
