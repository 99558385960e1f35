import SchemaDiagnostics

/// MIG031
struct TypeNarrowed: RuleDescription {
  static let id = DiagnosticID.typeNarrowed
  static let severity = Severity.error
  static let summary = "If an attribute's type changes, the new type can represent every stored value."
  static let why = "The new type has only some of the old type's values, and rows with other values cannot be migrated."
  static let remedy = "Convert the remaining values in a fill."
  static let fix = FixKind.add
  static let presence = RulePresence.always
}
