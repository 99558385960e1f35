import SchemaDiagnostics

/// MIG002
struct FrozenVersionEdited: RuleDescription {
  static let id = DiagnosticID.frozenVersionEdited
  static let severity = Severity.error
  static let summary = "What was released stays as it was."
  static let why = """
    The files of a released version say what stores of it hold. After an edit they say something \
    that no store has.
    """
  static let remedy = "Take the edit back, and change the schema in a newer version."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
