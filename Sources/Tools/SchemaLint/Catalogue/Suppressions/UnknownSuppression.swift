import SchemaDiagnostics

/// SYN011
struct UnknownSuppression: RuleDescription {
  static let id = DiagnosticID("SYN011", "unknown-suppression")
  static let severity = Severity.warning
  static let summary = "A suppression names a rule there is."
  static let why = "A misspelt name suppresses nothing, and nobody sees why the finding stays."
  static let remedy = "Write the code or the name of a rule; 'trellis rules' lists them."
  static let fix = FixKind.ask
}
