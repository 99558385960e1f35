import SchemaDiagnostics

/// MIG034
struct SuperclassChanged: RuleDescription {
  static let id = DiagnosticID.superclassChanged
  static let severity = Severity.error
  static let summary = "A model that moves to a new superclass keeps its rows."
  static let why = """
    A class hierarchy shares a table. In the new table, the row IDs may already be taken, and existing \
    references may no longer be valid.
    """
  static let remedy = "Write a custom step, or accept the listed losses in the migration."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
