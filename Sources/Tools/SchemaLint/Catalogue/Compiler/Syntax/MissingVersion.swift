import SchemaDiagnostics

/// SYN008
struct MissingVersion: RuleDescription {
  static let id = DiagnosticID.missingVersion
  static let severity = Severity.error
  static let summary = "A schema file says which schema and which version it belongs to."
  static let why = """
    Stores are known by their version; without one nobody can tell an old store from a damaged \
    one.
    """
  static let remedy = """
    Begin every file of the schema with 'schema', its name and a version such as 1.0.0.
    """
  static let fix = FixKind.add
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0
      @Model class Trip { var name: String }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var name: String }
      """#)
}
