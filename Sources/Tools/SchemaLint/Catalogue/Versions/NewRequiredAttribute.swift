import SchemaDiagnostics

/// MIG041
struct NewRequiredAttribute: RuleDescription {
  static let id = DiagnosticID.newRequiredAttribute
  static let severity = Severity.error
  static let summary = "A new required attribute has a value for the rows that are there."
  static let why = "Rows of the older version have none, and the property cannot be without."
  static let remedy = """
    Give it a default value, make it optional, or say in a fill what old rows get.
    """
  static let fix = FixKind.add
  static let presence = RulePresence.always
}
