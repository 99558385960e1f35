import SchemaDiagnostics

/// MIG005
struct MissingStage: RuleDescription {
  static let id = DiagnosticID.missingStage
  static let severity = Severity.error
  static let summary = "Every migration starts at a released version and is complete."
  static let why = """
    A migration block that starts at a different version never runs, so the values that it should fill \
    remain empty. Stores from a branch need a separate block, because the remaining migrations do not \
    handle the values.
    """
  static let remedy = "Write 'migration from' and a released version, and replace the placeholders with values."
  static let fix = FixKind.add
  static let presence = RulePresence.always
}
