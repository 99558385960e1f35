import SchemaDiagnostics

/// MIG001
struct VersionNotBumped: RuleDescription {
  static let id = DiagnosticID.versionNotBumped
  static let severity = Severity.error
  static let summary = "A schema that changed since the last release has a new version."
  static let why = "Installed stores have that version and a different schema; the app would misread them."
  static let remedy = "Give the schema a new version: trellis bump."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
