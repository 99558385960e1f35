import SchemaDiagnostics

/// MIG042
struct NewRequiredRelationship: RuleDescription {
  static let id = DiagnosticID.newRequiredRelationship
  static let severity = Severity.error
  static let summary = "A new required reference has a destination for existing rows."
  static let why = "Rows from the older version refer to no object, but a destination is required."
  static let remedy = "Make the relationship optional, or set it in a custom step."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
