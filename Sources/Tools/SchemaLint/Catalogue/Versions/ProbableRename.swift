import SchemaDiagnostics

/// MIG020
struct ProbableRename: RuleDescription {
  static let id = DiagnosticID.probableRename
  static let severity = Severity.error
  static let summary = "A rename is declared explicitly."
  static let why =
    "A removed name and a similar new name cause data loss and an empty property unless the rename is recorded."
  static let remedy = "Write 'originalName' for a rename, or accept the removal in the migration."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
