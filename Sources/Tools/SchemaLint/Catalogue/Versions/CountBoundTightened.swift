import SchemaDiagnostics

/// MIG063
struct CountBoundTightened: RuleDescription {
  static let id = DiagnosticID.countBoundTightened
  static let severity = Severity.error
  static let summary = "A bound of a count holds for what is stored already."
  static let why = """
    An object that has more or fewer members cannot be saved any more, whatever was changed of \
    it.
    """
  static let remedy = "Put it right in a custom step, or accept it in the migration."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
