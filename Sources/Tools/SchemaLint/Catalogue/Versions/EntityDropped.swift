import SchemaDiagnostics

/// MIG010
struct EntityDropped: RuleDescription {
  static let id = DiagnosticID.entityDropped
  static let severity = Severity.error
  static let summary = "A model that is gone is gone on purpose."
  static let why = "Its rows are in every installed store, and go with it."
  static let remedy = """
    Say what it is called now, copy its rows in a custom step, or accept in the migration that \
    they go.
    """
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
