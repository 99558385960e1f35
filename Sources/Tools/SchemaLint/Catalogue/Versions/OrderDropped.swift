import SchemaDiagnostics

/// MIG064
struct OrderDropped: RuleDescription {
  static let id = DiagnosticID.orderDropped
  static let severity = Severity.error
  static let summary = "A list that has an order keeps it."
  static let why = """
    The places of the members are stored with an order only, and go with it for good.
    """
  static let remedy = """
    Keep '.ordered', write the places into an attribute in a custom step, or accept it in the \
    migration.
    """
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
