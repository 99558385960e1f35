import SchemaDiagnostics

/// MIG024
struct RetiredNameReused: RuleDescription {
  static let id = DiagnosticID.retiredNameReused
  static let severity = Severity.warning
  static let summary = "A retired name is not reused for a different declaration."
  static let why =
    "Older stores and histories use the name for the old declaration, so code that reads them would confuse the two."
  static let remedy = "Choose a different name."
  static let fix = FixKind.ask
}
