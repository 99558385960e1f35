import SchemaDiagnostics

/// MIG005
struct MissingStage: RuleDescription {
  static let id = DiagnosticID.missingStage
  static let severity = Severity.error
  static let summary = "Every migration begins at a version that stores come from, and is complete."
  static let why = """
    A block that begins elsewhere never runs, and what it was to fill stays empty. Stores of another branch need a block \
    of their own, because no later version knows their values.
    """
  static let remedy = """
    Write 'migration from' and the version that stores come from, and put values where \
    placeholders are.
    """
  static let fix = FixKind.add
  static let presence = RulePresence.always
}
