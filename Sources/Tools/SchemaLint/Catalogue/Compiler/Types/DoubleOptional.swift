import SchemaDiagnostics

/// TYP017
struct DoubleOptional: RuleDescription {
  static let id = DiagnosticID.doubleOptional
  static let severity = Severity.error
  static let summary = "A type is optional once."
  static let why = """
    A row has one kind of nothing, so that two kinds of nil would be one after the next launch.
    """
  static let remedy = """
    Take one question mark away; where both kinds of nothing matter, an enum tells them apart.
    """
  static let fix = FixKind.auto
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var note: String?? }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var note: String? }
      """#)
}
