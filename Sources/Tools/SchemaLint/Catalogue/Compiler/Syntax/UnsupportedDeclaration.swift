import SchemaDiagnostics

/// SYN015
struct UnsupportedDeclaration: RuleDescription {
  static let id = DiagnosticID.unsupportedDeclaration
  static let severity = Severity.error
  static let summary = "A schema file contains only models and the value types they store."
  static let why = "The meaning of other Swift code would change in the generated file."
  static let remedy = "Move the code to a Swift file in the target, for example into an extension."
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
