import SchemaDiagnostics

/// TYP004
struct DefaultNotACase: RuleDescription {
  static let id = DiagnosticID.defaultNotACase
  static let severity = Severity.error
  static let summary = "The default value of an enum is one of its cases."
  static let why = "The generated class would not compile, with an error far away from the schema."
  static let remedy = "Write a case that is declared, or declare the case."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var kind: Kind = .other }
      enum Kind: String, Codable { case work }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var kind: Kind = .work }
      enum Kind: String, Codable { case work }
      """#)
}
