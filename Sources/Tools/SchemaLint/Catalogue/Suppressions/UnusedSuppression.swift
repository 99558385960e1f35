import SchemaDiagnostics

/// SYN012
struct UnusedSuppression: RuleDescription {
  static let id = DiagnosticID("SYN012", "unused-suppression")
  static let severity = Severity.warning
  static let summary = "A suppression applies to at least one finding."
  static let why =
    "The original finding was resolved, but the comment would hide the rule's next finding in the same place."
  static let remedy = "Remove the suppression."
  static let fix = FixKind.auto
}
