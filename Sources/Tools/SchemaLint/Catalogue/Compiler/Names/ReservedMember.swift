import SchemaDiagnostics

/// NAM004
struct ReservedMember: RuleDescription {
  static let id = DiagnosticID.reservedMember
  static let severity = Severity.error
  static let summary = "No property has the same name as a built-in model member."
  static let why =
    "The generated class would have two members with the same name, or the runtime would call the wrong member."
  static let remedy = "Rename the property; 'originalName' keeps the stored values."
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
