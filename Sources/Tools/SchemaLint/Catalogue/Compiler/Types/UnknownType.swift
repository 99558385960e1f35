import SchemaDiagnostics

/// TYP001
struct UnknownType: RuleDescription {
  static let id = DiagnosticID.unknownType
  static let severity = Severity.error
  static let summary = "A property's type exists and can be stored."
  static let why = "Trellis cannot convert values of unknown types to columns."
  static let remedy = "Use a built-in type, declare the type in the schema, or mark the property '@Transient'."
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
