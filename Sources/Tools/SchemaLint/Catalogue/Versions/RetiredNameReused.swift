import SchemaDiagnostics

/// MIG024
struct RetiredNameReused: RuleDescription {
  static let id = DiagnosticID.retiredNameReused
  static let severity = Severity.warning
  static let summary = "A retired name is not reused for a different declaration."
  static let why =
    "Older stores and histories use the name for the old declaration. Code that reads them cannot tell old from new."
  static let remedy = "Choose a different name."
  static let fix = FixKind.ask
}
