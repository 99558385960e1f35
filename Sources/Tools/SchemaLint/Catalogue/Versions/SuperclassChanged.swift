import SchemaDiagnostics

/// MIG034
struct SuperclassChanged: RuleDescription {
  static let id = DiagnosticID.superclassChanged
  static let severity = Severity.error
  static let summary = "A model that moves to another superclass brings its rows along."
  static let why = """
    Rows of a class hierarchy share one table. Their numbers may be taken in the other one, and \
    references to them may no longer fit.
    """
  static let remedy = "Write a custom step, or accept in the migration what is said to go."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
