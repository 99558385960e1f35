import SchemaDiagnostics

/// SYN013
struct SuppressionWithoutReason: RuleDescription {
  static let id = DiagnosticID("SYN013", "suppression-without-reason")
  static let severity = Severity.warning
  static let summary = "A suppression says why."
  static let why = "Nobody dares to take it out later who does not know what it was for."
  static let remedy = "Write the reason behind two dashes."
}
