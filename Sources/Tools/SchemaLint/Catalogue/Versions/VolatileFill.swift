import SchemaDiagnostics

/// MIG043
struct VolatileFill: RuleDescription {
  static let id = DiagnosticID.volatileFill
  static let severity = Severity.warning
  static let summary = "A fill gives the same value each time it runs."
  static let why = """
    A migration that was interrupted runs again, and on every device for itself: the clock and \
    chance give other values there.
    """
  static let remedy = "Write a value that follows from 'old'."
  static let fix = FixKind.ask
}
