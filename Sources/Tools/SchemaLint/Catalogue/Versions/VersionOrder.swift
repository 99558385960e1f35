import SchemaDiagnostics

/// MIG003
struct VersionOrder: RuleDescription {
  static let id = DiagnosticID.versionOrder
  static let severity = Severity.error
  static let summary = "Versions rise, and each number is used once."
  static let why = "Which way a store goes is read off the order of the numbers."
  static let remedy = "Give the schema a version above all that were released."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
