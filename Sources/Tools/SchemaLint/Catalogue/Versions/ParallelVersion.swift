import SchemaDiagnostics

/// MIG006
struct ParallelVersion: RuleDescription {
  static let id = DiagnosticID.parallelVersion
  static let severity = Severity.error
  static let summary = "A version number is released once, over all branches."
  static let why = """
    Two branches released different schemas under one number; stores of both are out there.
    """
  static let remedy = "Give one of them another number before it leaves the house."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
