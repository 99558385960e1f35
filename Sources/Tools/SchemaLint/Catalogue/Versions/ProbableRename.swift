import SchemaDiagnostics

/// MIG020
struct ProbableRename: RuleDescription {
  static let id = DiagnosticID.probableRename
  static let severity = Severity.error
  static let summary = "A rename is said, and not left to be guessed."
  static let why = """
    A name that goes and a like one that comes are a loss of data and an empty property, unless \
    somebody says that they are one.
    """
  static let remedy = """
    Write 'originalName' if it is the same, or accept in the migration that the old one goes.
    """
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
