import SchemaDiagnostics

/// MIG007
struct LockMissing: RuleDescription {
  static let id = DiagnosticID.lockMissing
  static let severity = Severity.error
  static let summary = "The lock lists every released version, and the files of each are there."
  static let why = """
    Without the lock nobody notices when a released version is edited; without the files its \
    stores cannot be opened.
    """
  static let remedy = """
    Bring the files back from version control, or make the lock again: trellis verify --rebuild- \
    lock.
    """
  static let presence = RulePresence.always
}
