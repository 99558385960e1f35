import SchemaDiagnostics

/// MIG013
struct EnumCaseRemoved: RuleDescription {
  static let id = DiagnosticID.enumCaseRemoved
  static let severity = Severity.error
  static let summary = "Every enum case that rows may contain still exists."
  static let why = "A row with a removed case's raw value cannot be decoded."
  static let remedy =
    "Keep the raw value under a new name, fill the attributes that store it, or accept the removal in the migration."
  static let fix = FixKind.add
  static let presence = RulePresence.always
}
