import SchemaDiagnostics

/// TYP025
struct TooManyColumns: RuleDescription {
  static let id = DiagnosticID.tooManyColumns
  static let severity = Severity.error
  static let summary = "A model and its subclasses need at most 2,000 columns."
  static let why = """
    They share one table, and SQLite makes no table with more columns. Each stored property has one, and each \
    property of a flattened struct.
    """
  static let remedy = "Move properties to another model with a relationship, or into a struct that is kept as a whole."
  static let presence = RulePresence.always
}
