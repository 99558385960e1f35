import SchemaDiagnostics

/// MIG021
struct OriginalNameUnknown: RuleDescription {
  static let id = DiagnosticID.originalNameUnknown
  static let severity = Severity.error
  static let summary = "What 'originalName' names was in an earlier version."
  static let why = """
    A misspelt name renames nothing: the values of the old property go, and the new one begins \
    empty.
    """
  static let remedy = "Write the name as an earlier version has it, or take 'originalName' away."
  static let fix = FixKind.ask
}
