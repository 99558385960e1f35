import SchemaDiagnostics

/// SYN012
struct UnusedSuppression: RuleDescription {
  static let id = DiagnosticID("SYN012", "unused-suppression")
  static let severity = Severity.warning
  static let summary = "A suppression suppresses something."
  static let why = "What it was written for is gone, and the next finding of the rule there goes unseen."
  static let remedy = "Take it out."
  static let fix = FixKind.auto
}
