import SchemaDiagnostics

/// MIG062
struct InverseChanged: RuleDescription {
  static let id = DiagnosticID.inverseChanged
  static let severity = Severity.error
  static let summary = "Links keep their meaning."
  static let why = """
    A link is one thing seen from two sides. With another side it would be another one, or has \
    no place.
    """
  static let remedy = "Write a custom step, or accept it in the migration."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
