import SchemaDiagnostics

/// SYN018
struct RemovedOption: RuleDescription {
  static let id = DiagnosticID.removedOption
  static let severity = Severity.error
  static let summary = "A schema does not use options that were removed from the language."
  static let why = """
    '.fullText' promised a full-text index, but no store ever created it. Released versions that have the \
    option remain unchanged.
    """
  static let remedy = """
    Remove the option. A predicate such as 'note.localizedStandardContains(word)' finds the same rows by \
    reading every row.
    """
  static let fix = FixKind.auto
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Note { @Attribute(.fullText) var text: String }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Note { var text: String }
      """#)
}
