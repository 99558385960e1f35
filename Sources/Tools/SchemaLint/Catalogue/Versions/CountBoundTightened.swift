import SchemaDiagnostics

/// MIG063
struct CountBoundTightened: RuleDescription {
  static let id = DiagnosticID.countBoundTightened
  static let severity = Severity.error
  static let summary = "A changed count bound is satisfied by stored objects."
  static let why = "An object outside the new bounds can no longer be saved, whichever property was changed."
  static let remedy = "Correct the objects in a custom step, or accept the change in the migration."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
