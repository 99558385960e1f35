import SchemaDiagnostics

/// MIG007
struct LockMissing: RuleDescription {
  static let id = DiagnosticID.lockMissing
  static let severity = Severity.error
  static let summary = "The lock file lists every released version, and the files of each version exist."
  static let why = """
    If the lock file is missing, an edit to a released version goes unnoticed; if version files are missing, \
    the stores with that version cannot be opened.
    """
  static let remedy =
    "Restore the files from version control, or regenerate the lock file: trellis verify --rebuild-lock."
  static let presence = RulePresence.always
}
