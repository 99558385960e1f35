import SchemaDiagnostics

/// MIG014
struct EnumRawChanged: RuleDescription {
  static let id = DiagnosticID.enumRawChanged
  static let severity = Severity.error
  static let summary = "A released enum case keeps its raw value."
  static let why = """
    Rows contain the raw value, not the name. After a change, the old value is no longer a case or stands \
    for a different case.
    """
  static let remedy = "Restore the released raw value, or fill the attributes that store it."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
