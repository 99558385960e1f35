import SchemaDiagnostics

/// MIG050
struct UniqueAdded: RuleDescription {
  static let id = DiagnosticID.uniqueAdded
  static let severity = Severity.error
  static let summary = "Rows that must not be equal any more are told what to do."
  static let why = """
    Nothing kept equal rows out before, so that some store has them, and it would not open.
    """
  static let remedy = """
    Say with 'dedupe' which row stays, or accept in the migration that there are none.
    """
  static let fix = FixKind.add
  static let presence = RulePresence.always
}
