import SchemaDiagnostics

/// TYP015
struct CollectionAttributeQueried: RuleDescription {
  static let id = DiagnosticID.collectionAttributeQueried
  static let severity = Severity.error
  static let summary = "A unique or indexed property is a single value, not a collection."
  static let why = """
    A collection is stored as a single string. An index cannot find members, and uniqueness would compare \
    whole strings.
    """
  static let remedy = "Make a single value unique, or model the members and add a relationship to them."
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.unique) var tags: [String] }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.unique) var code: String
        var tags: [String]
      }
      """#)
}
