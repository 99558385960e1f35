import SchemaDiagnostics

/// SYN006
struct ConflictingOptions: RuleDescription {
  static let id = DiagnosticID.conflictingOptions
  static let severity = Severity.error
  static let summary = "A property's options do not contradict each other."
  static let why = "For example, a value cannot be both stored and not stored, so an option would be ignored."
  static let remedy = "Remove either option."
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
