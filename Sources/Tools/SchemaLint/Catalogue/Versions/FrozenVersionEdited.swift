import SchemaDiagnostics

/// MIG002
struct FrozenVersionEdited: RuleDescription {
  static let id = DiagnosticID.frozenVersionEdited
  static let severity = Severity.error
  static let summary = "A released version remains unchanged."
  static let why = """
    The files describe the stores that were written by the released version. After an edit, no store \
    matches the files.
    """
  static let remedy = "Revert the edit, and change the schema in a newer version."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
