import SchemaDiagnostics

/// MIG001
struct VersionNotBumped: RuleDescription {
  static let id = DiagnosticID.versionNotBumped
  static let severity = Severity.error
  static let summary = "A schema that changed since it was released has another version."
  static let why = """
    Stores out there have that number and another schema; the program would open them as what \
    they are not.
    """
  static let remedy = "Give the schema a new version: trellis bump."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
