import SchemaDiagnostics

/// MIG060
struct DeleteRuleChanged: RuleDescription {
  static let id = DiagnosticID.deleteRuleChanged
  static let severity = Severity.warning
  static let summary = "A delete rule that changes is meant for what is stored already."
  static let why = """
    The rule is asked when something is deleted, not when it was saved: old objects go by the \
    new one. A new cascade takes with it what nobody thought would go.
    """
  static let remedy = "Accept it in the migration if that is meant, or keep the rule."
  static let fix = FixKind.ask
}
