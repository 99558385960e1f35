import SchemaDiagnostics

/// MIG030
struct TypeChanged: RuleDescription {
  static let id = DiagnosticID.typeChanged
  static let severity = Severity.error
  static let summary = "Values that are there become values of the new type."
  static let why = "No rule says how the old values become new ones, and every row has one."
  static let remedy = "Say in a fill what the new value is; 'old' is the row as it was."
  static let fix = FixKind.add
  static let presence = RulePresence.always
}
