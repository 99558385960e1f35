import SchemaDiagnostics

/// MIG040
struct RequiredWithoutDefault: RuleDescription {
  static let id = DiagnosticID.requiredWithoutDefault
  static let severity = Severity.error
  static let summary = "A newly required property has a value in every row."
  static let why = "Rows may contain nil, which is no longer a valid value."
  static let remedy = "Add a default value, or fill the rows that contain nil."
  static let fix = FixKind.add
  static let presence = RulePresence.always
}
