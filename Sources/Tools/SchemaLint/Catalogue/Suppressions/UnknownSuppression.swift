import SchemaDiagnostics

/// SYN011
struct UnknownSuppression: RuleDescription {
  static let id = DiagnosticID("SYN011", "unknown-suppression")
  static let severity = Severity.warning
  static let summary = "A suppression names an existing rule."
  static let why = "A misspelled name suppresses nothing, and the reported finding appears to ignore the comment."
  static let remedy = "Write a rule code or rule name; 'trellis rules' lists them."
  static let fix = FixKind.ask
}
