import SchemaDiagnostics

/// MIG010
struct EntityDropped: RuleDescription {
  static let id = DiagnosticID.entityDropped
  static let severity = Severity.error
  static let summary = "A model is removed intentionally."
  static let why = "Every installed store contains the rows, and the migration deletes them."
  static let remedy =
    "Record the rename with 'originalName', copy the rows in a custom step, or accept the removal in the migration."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
