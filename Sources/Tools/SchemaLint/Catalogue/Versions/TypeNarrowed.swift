import SchemaDiagnostics

/// MIG031
struct TypeNarrowed: RuleDescription {
  static let id = DiagnosticID.typeNarrowed
  static let severity = Severity.error
  static let summary = "A new type has every value that rows may hold."
  static let why = """
    The new type has some of the old values only, and a row with another one cannot be carried \
    over.
    """
  static let remedy = "Say in a fill what becomes of the others."
  static let fix = FixKind.add
  static let presence = RulePresence.always
}
