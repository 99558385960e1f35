import SchemaDiagnostics

/// MIG014
struct EnumRawChanged: RuleDescription {
  static let id = DiagnosticID.enumRawChanged
  static let severity = Severity.error
  static let summary = "A case keeps the raw value it was stored with."
  static let why = """
    Rows hold the raw value and not the name. After a change the old value is no case, or \
    another one.
    """
  static let remedy = "Write the raw value that was released, or fill the attributes that have it."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
