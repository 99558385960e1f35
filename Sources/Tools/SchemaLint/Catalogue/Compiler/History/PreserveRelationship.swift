import SchemaDiagnostics

/// HIS006
struct PreserveRelationship: RuleDescription {
  static let id = DiagnosticID.preserveRelationship
  static let severity = Severity.error
  static let summary = "A property that the history preserves is a value, not a reference."
  static let why = "The referenced object may also be deleted, and a row ID has no meaning outside the store."
  static let remedy = "Preserve the destination's key, or copy that key into an attribute."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.preserveValueOnDeletion) var guide: Guide? }
      @Model class Guide { var trips: [Trip] = [] }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.preserveValueOnDeletion) var guideCode: String
        var guide: Guide?
      }
      @Model class Guide { var trips: [Trip] = [] }
      """#)
}
