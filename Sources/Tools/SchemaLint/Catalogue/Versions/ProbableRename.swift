import SchemaDiagnostics

/// MIG020
struct ProbableRename: RuleDescription {
  static let id = DiagnosticID.probableRename
  static let severity = Severity.error
  static let summary = "A rename is declared explicitly."
  static let why =
    "If a rename is not recorded, the old property's values are deleted and the new property starts empty."
  static let remedy = "Write 'originalName' for a rename, or accept the removal in the migration."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
