import SchemaDiagnostics

/// TYP004
struct DefaultNotACase: RuleDescription {
  static let id = DiagnosticID.defaultNotACase
  static let severity = Severity.error
  static let summary = "An enum property's default value is a declared case."
  static let why = "The generated class would not compile, and the error would appear far from the schema."
  static let remedy = "Write a declared case, or declare the case."
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
