import SchemaDiagnostics

/// TYP023
struct OpaqueWithoutValue: RuleDescription {
  static let id = DiagnosticID.opaqueWithoutValue
  static let severity = Severity.error
  static let summary = "A required property of a type the schema does not know has a default value."
  static let why = """
    Where a row is gone or cannot be read, the property has no value. In Swift files, whose models \
    compile unchanged, this is a warning: such a read returns another value of the type, or stops \
    the program if there is none.
    """
  static let remedy = """
    Give it a default value, make it optional, or declare the type in the schema.
    """
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.codable) var colour: Colour }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.codable) var colour: Colour = Colour() }
      """#)
}
