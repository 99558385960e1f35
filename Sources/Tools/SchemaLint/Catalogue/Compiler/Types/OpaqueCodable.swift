import SchemaDiagnostics

/// TYP013
struct OpaqueCodable: RuleDescription {
  static let id = DiagnosticID.opaqueCodable
  static let severity = Severity.warning
  static let summary = "A type that is stored is declared in the schema."
  static let why = """
    Nothing is known of another one: no predicate reaches into it, and when it changes, stored \
    values stop to decode without a version being asked for.
    """
  static let remedy = """
    Declare it as a struct or an enum of the schema, or say with '@Attribute(.codable)' that \
    this is meant.
    """
  static let fix = FixKind.add
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var colour: Colour? }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var colour: Colour? }
      struct Colour: Codable { var red: Double; var green: Double; var blue: Double }
      """#)
}
