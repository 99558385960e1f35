import SchemaDiagnostics

/// MIG006
struct ParallelVersion: RuleDescription {
  static let id = DiagnosticID.parallelVersion
  static let severity = Severity.error
  static let summary = "A version number is released only once, across all branches."
  static let why = "Two branches released different schemas under the same version number, and stores exist for both."
  static let remedy = "Change either version number before that version is distributed."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
