import SchemaDiagnostics

/// TYP001
struct UnknownType: RuleDescription {
  static let id = DiagnosticID.unknownType
  static let severity = Severity.error
  static let summary = "The type of a property is there and can be stored."
  static let why = "Nobody knows how values of another type would get into a row and out of it."
  static let remedy = """
    Write a type the language has, declare it in the schema, or mark the property '@Transient'.
    """
  static let fix = FixKind.ask
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var name: Strin }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var name: String }
      """#)
}
