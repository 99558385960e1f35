import SchemaDiagnostics

/// MIG040
struct RequiredWithoutDefault: RuleDescription {
  static let id = DiagnosticID.requiredWithoutDefault
  static let severity = Severity.error
  static let summary = "A value that is required now is there in every row."
  static let why = "Rows may have nil, which is no value any more."
  static let remedy = """
    Give the property a default value, or say in a fill what rows without one get.
    """
  static let fix = FixKind.add
  static let presence = RulePresence.always
}
