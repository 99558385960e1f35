import SchemaDiagnostics

/// SYN013
struct SuppressionWithoutReason: RuleDescription {
  static let id = DiagnosticID("SYN013", "suppression-without-reason")
  static let severity = Severity.warning
  static let summary = "A suppression gives a reason."
  static let why = "If the reason is missing, later readers cannot tell whether the suppression can be removed."
  static let remedy = "Write the reason after two dashes."
}
