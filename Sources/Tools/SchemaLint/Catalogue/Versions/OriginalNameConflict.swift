import SchemaDiagnostics

/// MIG022
struct OriginalNameConflict: RuleDescription {
  static let id = DiagnosticID.originalNameConflict
  static let severity = Severity.error
  static let summary = "One declaration takes over what another one was."
  static let why = "The rows, or the values, can become those of one only."
  static let remedy = "Take 'originalName' away from one of them, and fill it."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
