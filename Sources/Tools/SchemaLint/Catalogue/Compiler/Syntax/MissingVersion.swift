import SchemaDiagnostics

/// SYN008
struct MissingVersion: RuleDescription {
  static let id = DiagnosticID.missingVersion
  static let severity = Severity.error
  static let summary = "A schema file declares the schema's name and version."
  static let why = """
    Each store records its schema version. If the version is missing, an old store cannot be distinguished \
    from a damaged store.
    """
  static let remedy = "Begin every schema file with 'schema', the schema name and a version such as 1.0.0."
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
