import SchemaDiagnostics

/// MIG012
struct RelationshipDropped: RuleDescription {
  static let id = DiagnosticID.relationshipDropped
  static let severity = Severity.error
  static let summary = "A relationship that is gone is gone on purpose."
  static let why = "The links of every installed store go with it, and nothing else knows them."
  static let remedy = """
    Say what it is called now, read it in a custom step, or accept in the migration that it \
    goes.
    """
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
