import SchemaDiagnostics

/// SYN011
struct UnknownSuppression: RuleDescription {
  static let id = DiagnosticID("SYN011", "unknown-suppression")
  static let severity = Severity.warning
  static let summary = "A suppression names an existing rule."
  static let why = "A misspelled name suppresses nothing, so the finding is still reported."
  static let remedy = "Write a rule code or rule name; 'trellis rules' lists them."
  static let fix = FixKind.ask
}
