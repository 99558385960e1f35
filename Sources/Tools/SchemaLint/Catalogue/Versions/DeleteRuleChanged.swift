import SchemaDiagnostics

/// MIG060
struct DeleteRuleChanged: RuleDescription {
  static let id = DiagnosticID.deleteRuleChanged
  static let severity = Severity.warning
  static let summary = "A changed delete rule is also intended for stored objects."
  static let why = """
    The rule is applied at deletion, so it also affects existing objects. A new cascade can delete objects \
    unexpectedly.
    """
  static let remedy = "Accept the change in the migration if it is intended, or keep the rule."
  static let fix = FixKind.ask
}
