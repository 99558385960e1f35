import SchemaDiagnostics

/// MIG041
struct NewRequiredAttribute: RuleDescription {
  static let id = DiagnosticID.newRequiredAttribute
  static let severity = Severity.error
  static let summary = "A new required attribute has a value for existing rows."
  static let why = "Rows from the older version have no value, and the property cannot be nil."
  static let remedy = "Add a default value, make the attribute optional, or provide the value in a fill."
  static let fix = FixKind.add
  static let presence = RulePresence.always
}
