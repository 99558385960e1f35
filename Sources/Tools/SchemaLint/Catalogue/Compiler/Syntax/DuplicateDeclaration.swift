import SchemaDiagnostics

/// SYN003
struct DuplicateDeclaration: RuleDescription {
  static let id = DiagnosticID.duplicateDeclaration
  static let severity = Severity.error
  static let summary = "Every type, property and case is declared once across all schema files."
  static let why = "With duplicate declarations, it is unclear which of them describes the rows."
  static let remedy = "Remove or rename either declaration."
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
