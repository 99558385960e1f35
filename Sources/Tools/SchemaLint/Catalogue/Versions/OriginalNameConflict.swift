import SchemaDiagnostics

/// MIG022
struct OriginalNameConflict: RuleDescription {
  static let id = DiagnosticID.originalNameConflict
  static let severity = Severity.error
  static let summary = "No two declarations use the same original name."
  static let why = "The rows or values can only be assigned to a single new declaration."
  static let remedy = "Remove 'originalName' from either declaration, and fill the new values in the migration."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
