import SchemaDiagnostics

/// MIG011
struct AttributeDropped: RuleDescription {
  static let id = DiagnosticID.attributeDropped
  static let severity = Severity.error
  static let summary = "An attribute is removed intentionally."
  static let why = "Every installed store contains the values, and the migration deletes them."
  static let remedy = """
    Record the rename with 'originalName', use the values in a fill or custom step, or accept the removal in \
    the migration.
    """
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
