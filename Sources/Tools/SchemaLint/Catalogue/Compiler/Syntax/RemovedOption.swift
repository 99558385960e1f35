import SchemaDiagnostics

/// SYN018
struct RemovedOption: RuleDescription {
  static let id = DiagnosticID.removedOption
  static let severity = Severity.error
  static let summary = "A schema has no option that the language has no longer."
  static let why = """
    '.fullText' promised an index over the words of a text, and no store ever made one. Released versions \
    that have the option stay as they are.
    """
  static let remedy = """
    Remove the option. A predicate like 'note.localizedStandardContains(word)' finds the same rows, and \
    reads every row to do so.
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
