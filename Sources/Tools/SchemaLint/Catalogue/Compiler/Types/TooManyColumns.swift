import SchemaDiagnostics

/// TYP025
struct TooManyColumns: RuleDescription {
  static let id = DiagnosticID.tooManyColumns
  static let severity = Severity.error
  static let summary = "A model and its subclasses use at most 2,000 columns in total."
  static let why = """
    A model and its subclasses share a table, and SQLite allows at most 2,000 columns per table. Each \
    stored property uses a column, as does each property of a flattened struct.
    """
  static let remedy = "Move properties to a related model, or into a struct that is stored as a single value."
  static let presence = RulePresence.always
}
