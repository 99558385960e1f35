import SchemaDiagnostics

/// TYP002
struct DefaultTypeMismatch: RuleDescription {
  static let id = DiagnosticID.defaultTypeMismatch
  static let severity = Severity.error
  static let summary = "A default value has the property's type."
  static let why = "The generated class would not compile, and the error would appear far from the schema."
  static let remedy = "Write a value with the declared type, or change the type."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var size: Int = "big" }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var size: Int = 3 }
      """#)
}
