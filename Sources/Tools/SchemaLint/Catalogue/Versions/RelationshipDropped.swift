import SchemaDiagnostics

/// MIG012
struct RelationshipDropped: RuleDescription {
  static let id = DiagnosticID.relationshipDropped
  static let severity = Severity.error
  static let summary = "A relationship is removed intentionally."
  static let why = "The migration deletes the links in every installed store, and they are recorded nowhere else."
  static let remedy =
    "Record the rename with 'originalName', read the links in a custom step, or accept the removal in the migration."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
