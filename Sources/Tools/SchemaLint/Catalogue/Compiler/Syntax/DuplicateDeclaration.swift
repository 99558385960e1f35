import SchemaDiagnostics

/// SYN003
struct DuplicateDeclaration: RuleDescription {
  static let id = DiagnosticID.duplicateDeclaration
  static let severity = Severity.error
  static let summary = """
    Every type, property and case is declared once, over all files of the schema.
    """
  static let why = "Of two declarations with one name nobody can say which one rows are read by."
  static let remedy = "Take one of them away, or give it another name."
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip {
        var name: String
        var name: Int
      }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        var name: String
        var size: Int
      }
      """#)
}
