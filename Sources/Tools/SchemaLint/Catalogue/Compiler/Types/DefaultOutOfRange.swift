import SchemaDiagnostics

/// TYP003
struct DefaultOutOfRange: RuleDescription {
  static let id = DiagnosticID.defaultOutOfRange
  static let severity = Severity.error
  static let summary = "A numeric default value fits into the property's type."
  static let why = "Swift would reject the value in the generated code, or the value would cause a trap."
  static let remedy = "Write a smaller number, or choose a wider type."
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var size: Int8 = 300 }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var size: Int16 = 300 }
      """#)
}
