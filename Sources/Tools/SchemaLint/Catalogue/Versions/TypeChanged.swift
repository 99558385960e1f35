import SchemaDiagnostics

/// MIG030
struct TypeChanged: RuleDescription {
  static let id = DiagnosticID.typeChanged
  static let severity = Severity.error
  static let summary = "Existing values are converted to the new type."
  static let why = "Every row has a value of the old type, and no built-in conversion exists."
  static let remedy = "Compute the new value in a fill; 'old' is the original row."
  static let fix = FixKind.add
  static let presence = RulePresence.always
}
