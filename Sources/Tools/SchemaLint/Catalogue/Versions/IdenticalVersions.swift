import SchemaDiagnostics

/// MIG004
struct IdenticalVersions: RuleDescription {
  static let id = DiagnosticID.identicalVersions
  static let severity = Severity.error
  static let summary = "Consecutive versions differ."
  static let why = "A store cannot distinguish the two versions, and a migration plan that contains both is rejected."
  static let remedy = "Change the schema before it is released, or remove either version."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
