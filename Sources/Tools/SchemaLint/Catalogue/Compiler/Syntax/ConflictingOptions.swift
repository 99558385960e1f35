import SchemaDiagnostics

/// SYN006
struct ConflictingOptions: RuleDescription {
  static let id = DiagnosticID.conflictingOptions
  static let severity = Severity.error
  static let summary = "Two options of one property can hold at the same time."
  static let why = """
    A value cannot be kept and not be kept, so that one of the options would be ignored.
    """
  static let remedy = "Decide for one of them."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip {
        @Transient @Attribute(.unique) var code: String = ""
      }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.unique) var code: String = ""
      }
      """#)
}
