import SchemaDiagnostics

/// MIG051
struct UniqueRemoved: RuleDescription {
  static let id = DiagnosticID.uniqueRemoved
  static let severity = Severity.warning
  static let summary = "A uniqueness that goes is not needed by any save."
  static let why = """
    What replaced the row that was there inserts a second one from now on, and nobody is told.
    """
  static let remedy = "Accept it in the migration if that is meant, or keep it."
  static let fix = FixKind.ask
}
