import SchemaDiagnostics

/// TYP015
struct CollectionAttributeQueried: RuleDescription {
  static let id = DiagnosticID.collectionAttributeQueried
  static let severity = Severity.error
  static let summary = "What is unique or indexed is one value and not a collection."
  static let why = """
    A collection is kept as one text, in which an index finds nothing and equality is that of \
    the text.
    """
  static let remedy = """
    Make a single value unique, or a model of the members with a relationship to them.
    """
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
