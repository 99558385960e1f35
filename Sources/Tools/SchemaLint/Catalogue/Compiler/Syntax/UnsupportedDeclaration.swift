import SchemaDiagnostics

/// SYN015
struct UnsupportedDeclaration: RuleDescription {
  static let id = DiagnosticID.unsupportedDeclaration
  static let severity = Severity.error
  static let summary = "A schema file has models, the values they store, and nothing else."
  static let why = """
    Other Swift cannot be carried into generated code without a change of its meaning.
    """
  static let remedy = "Move it into a Swift file of the target, into an extension for example."
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      func name() -> String { "" }
      @Model class Trip { var name: String }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        var name: String
        func title() -> String { name }
      }
      """#)
}
