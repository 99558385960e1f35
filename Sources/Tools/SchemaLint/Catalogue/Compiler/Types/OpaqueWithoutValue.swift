import SchemaDiagnostics

/// TYP023
struct OpaqueWithoutValue: RuleDescription {
  static let id = DiagnosticID.opaqueWithoutValue
  static let severity = Severity.error
  static let summary = "A required property has a default value if its type is not declared in the schema."
  static let why = """
    If the row is missing or cannot be read, the property has no value to return. In Swift files, whose \
    models compile unchanged, this is only a warning: reading the property then returns an arbitrary value \
    of the type, or traps if the type has no known value.
    """
  static let remedy = "Add a default value, make the property optional, or declare the type in the schema."
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
