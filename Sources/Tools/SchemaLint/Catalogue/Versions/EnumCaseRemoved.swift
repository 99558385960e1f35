import SchemaDiagnostics

/// MIG013
struct EnumCaseRemoved: RuleDescription {
  static let id = DiagnosticID.enumCaseRemoved
  static let severity = Severity.error
  static let summary = "A case that rows may hold is still there."
  static let why = "A row with the raw value of a case that is gone cannot be read as anything."
  static let remedy = """
    Keep the raw value under a new name, fill the attributes that have it, or accept it in the \
    migration.
    """
  static let fix = FixKind.add
  static let presence = RulePresence.always
}
