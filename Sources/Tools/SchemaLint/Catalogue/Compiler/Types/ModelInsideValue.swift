import SchemaDiagnostics

/// TYP022
struct ModelInsideValue: RuleDescription {
  static let id = DiagnosticID.modelInsideValue
  static let severity = Severity.error
  static let summary = "A model is referred to by a relationship and is not kept inside a value."
  static let why = """
    Inside a value there would be a copy, which no delete rule, fetch or save reaches.
    """
  static let remedy = """
    Write a model, an optional model or an array of models as the type of a property of the \
    model.
    """
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var days: [[Stop]] }
      @Model class Stop { var name: String }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var stops: [Stop] = [] }
      @Model class Stop {
        var name: String
        var trip: Trip?
      }
      """#)
}
