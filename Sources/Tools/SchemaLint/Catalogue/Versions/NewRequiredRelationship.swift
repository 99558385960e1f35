import SchemaDiagnostics

/// MIG042
struct NewRequiredRelationship: RuleDescription {
  static let id = DiagnosticID.newRequiredRelationship
  static let severity = Severity.error
  static let summary = "A new required reference has a model for the rows that are there."
  static let why = "Rows of the older version refer to nothing, and have to refer to something."
  static let remedy = "Make it optional, or set it in a custom step."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
