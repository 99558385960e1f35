import SchemaDiagnostics

/// MIG011
struct AttributeDropped: RuleDescription {
  static let id = DiagnosticID.attributeDropped
  static let severity = Severity.error
  static let summary = "An attribute that is gone is gone on purpose."
  static let why = "Its values are in every installed store, and go with it."
  static let remedy = """
    Say what it is called now, use it in a fill or in a custom step, or accept in the migration that it goes.
    """
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
