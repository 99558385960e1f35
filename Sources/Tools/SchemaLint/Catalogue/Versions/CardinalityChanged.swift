import SchemaDiagnostics

/// MIG061
struct CardinalityChanged: RuleDescription {
  static let id = DiagnosticID.cardinalityChanged
  static let severity = Severity.error
  static let summary = """
    A relationship that holds less, or leads elsewhere, says what becomes of its links.
    """
  static let why = "A list has members for which a single reference has no place."
  static let remedy = """
    Read the links in a custom step, or accept in the migration that the rest goes.
    """
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
