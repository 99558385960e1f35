import SchemaDiagnostics

/// MIG063
struct CountBoundTightened: RuleDescription {
  static let id = DiagnosticID.countBoundTightened
  static let severity = Severity.error
  static let summary = "Stored objects satisfy a changed count bound."
  static let why =
    "An object that violates the new bounds can no longer be saved, even if a different property was edited."
  static let remedy = "Correct the objects in a custom step, or accept the change in the migration."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
