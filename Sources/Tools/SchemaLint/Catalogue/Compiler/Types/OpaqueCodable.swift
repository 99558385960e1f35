import SchemaDiagnostics

/// TYP013
struct OpaqueCodable: RuleDescription {
  static let id = DiagnosticID.opaqueCodable
  static let severity = Severity.warning
  static let summary = "A stored type is declared in the schema."
  static let why = """
    The structure of an external type is unknown: predicates cannot access its properties, and if the type \
    changes, stored values may no longer decode, although no new schema version was required.
    """
  static let remedy =
    "Declare it as a struct or enum in the schema, or confirm the external type with '@Attribute(.codable)'."
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
