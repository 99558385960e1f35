import SchemaDiagnostics

/// NAM004
struct ReservedMember: RuleDescription {
  static let id = DiagnosticID.reservedMember
  static let severity = Severity.error
  static let summary = "A property has no name that every model has a member of already."
  static let why = """
    The generated class would have two members of one name, or the runtime would ask the wrong \
    one.
    """
  static let remedy = "Give the property another name; 'originalName' keeps the values of stores."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var hashValue: Int }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var checksum: Int }
      """#)
}
