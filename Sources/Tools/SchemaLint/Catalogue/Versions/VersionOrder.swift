import SchemaDiagnostics

/// MIG003
struct VersionOrder: RuleDescription {
  static let id = DiagnosticID.versionOrder
  static let severity = Severity.error
  static let summary = "Versions increase, and each number is used once."
  static let why = "The version order determines a store's migration path."
  static let remedy = "Give the schema a version above all released versions."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
