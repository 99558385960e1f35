import SchemaDiagnostics

/// MIG064
struct OrderDropped: RuleDescription {
  static let id = DiagnosticID.orderDropped
  static let severity = Severity.error
  static let summary = "An ordered list keeps its order."
  static let why = "Positions are only stored for ordered lists, so the migration deletes them permanently."
  static let remedy =
    "Keep '.ordered', copy the positions into an attribute in a custom step, or accept the change in the migration."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
