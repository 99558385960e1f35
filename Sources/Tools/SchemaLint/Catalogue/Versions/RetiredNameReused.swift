import SchemaDiagnostics

/// MIG024
struct RetiredNameReused: RuleDescription {
  static let id = DiagnosticID.retiredNameReused
  static let severity = Severity.warning
  static let summary = "A name that was given up does not come back for something else."
  static let why = """
    Stores and history of the older version have the old thing under this name, and readers \
    cannot tell them apart.
    """
  static let remedy = "Choose another name."
  static let fix = FixKind.ask
}
