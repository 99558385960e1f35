import SchemaDiagnostics

/// MIG001
struct VersionNotBumped: RuleDescription {
  static let id = DiagnosticID.versionNotBumped
  static let severity = Severity.error
  static let summary = "A schema that changed since the last release has a new version."
  static let why = "Installed stores have the same version but a different schema, so the app would misread them."
  static let remedy = "Give the schema a new version: trellis bump."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
