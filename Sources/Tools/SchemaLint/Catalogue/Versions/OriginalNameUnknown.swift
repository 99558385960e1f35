import SchemaDiagnostics

/// MIG021
struct OriginalNameUnknown: RuleDescription {
  static let id = DiagnosticID.originalNameUnknown
  static let severity = Severity.error
  static let summary = "The name in 'originalName' exists in an earlier version."
  static let why =
    "A misspelled name renames nothing: the old property's values are deleted, and the new property starts empty."
  static let remedy = "Write the name as in the earlier version, or remove 'originalName'."
  static let fix = FixKind.ask
}
