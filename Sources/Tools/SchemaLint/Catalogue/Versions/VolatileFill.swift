import SchemaDiagnostics

/// MIG043
struct VolatileFill: RuleDescription {
  static let id = DiagnosticID.volatileFill
  static let severity = Severity.warning
  static let summary = "A fill returns the same value each time it runs."
  static let why = """
    An interrupted migration runs again, and each device migrates separately. The clock and random values \
    differ every time.
    """
  static let remedy = "Compute the value from 'old'."
  static let fix = FixKind.ask
}
