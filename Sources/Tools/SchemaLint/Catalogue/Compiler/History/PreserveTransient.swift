import SchemaDiagnostics

/// HIS003
struct PreserveTransient: RuleDescription {
  static let id = DiagnosticID.preserveTransient
  static let severity = Severity.error
  static let summary = "A property that the history preserves is also stored."
  static let why = "A value that was never stored is not available when the object is deleted."
  static let remedy = "Store the property, or do not preserve it."
  static let fix = FixKind.auto
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.ephemeral, .preserveValueOnDeletion) var isOpen: Bool = false }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.preserveValueOnDeletion) var isOpen: Bool = false }
      """#)
}
