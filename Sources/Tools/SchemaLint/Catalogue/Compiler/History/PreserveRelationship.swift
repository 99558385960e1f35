import SchemaDiagnostics

/// HIS006
struct PreserveRelationship: RuleDescription {
  static let id = DiagnosticID.preserveRelationship
  static let severity = Severity.error
  static let summary = "What outlives its object in the history is a value and not a reference."
  static let why = """
    The object that is referred to may be gone as well, and its number means nothing to anybody \
    outside.
    """
  static let remedy = """
    Preserve the key of the model at the other end, or copy that into an attribute.
    """
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
