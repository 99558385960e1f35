import SchemaDiagnostics

/// MIG051
struct UniqueRemoved: RuleDescription {
  static let id = DiagnosticID.uniqueRemoved
  static let severity = Severity.warning
  static let summary = "A unique constraint is removed only if no save depends on it."
  static let why = "A save that used to replace the existing row now silently inserts a second row."
  static let remedy = "Accept the removal in the migration if it is intended, or keep the constraint."
  static let fix = FixKind.ask
}
