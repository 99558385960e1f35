import SchemaDiagnostics

/// TYP022
struct ModelInsideValue: RuleDescription {
  static let id = DiagnosticID.modelInsideValue
  static let severity = Severity.error
  static let summary = "A model is referenced by a relationship, not nested in a value."
  static let why = "The value would contain a copy that no delete rule, fetch or save reaches."
  static let remedy = "Use a model, an optional model or an array of models as the property type."
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
