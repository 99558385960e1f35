import SchemaDiagnostics

/// MIG050
struct UniqueAdded: RuleDescription {
  static let id = DiagnosticID.uniqueAdded
  static let severity = Severity.error
  static let summary = "A new unique constraint handles duplicate rows."
  static let why = "The older version allowed duplicates, so some stores may contain them and would fail to open."
  static let remedy = "Choose the row to keep with 'dedupe', or accept in the migration that there are no duplicates."
  static let fix = FixKind.add
  static let presence = RulePresence.always
}
