import SchemaDiagnostics

/// TYP025
struct TooManyColumns: RuleDescription {
  static let id = DiagnosticID.tooManyColumns
  static let severity = Severity.error
  static let summary = "A model and its subclasses need at most 2,000 columns."
  static let why = """
    They share a table, and SQLite limits tables to that many columns. Each stored property has a column, \
    and so does each property in a flattened struct.
    """
  static let remedy = "Move properties to a related model, or into a struct that is stored as a single value."
  static let presence = RulePresence.always
}
