import SchemaDiagnostics

/// UNQ007
struct UniqueOverToMany: RuleDescription {
  static let id = DiagnosticID.uniqueOverToMany
  static let severity = Severity.error
  static let summary = "A unique property is a value or to-one reference, not a list of models."
  static let why = "A row does not contain the list, so no store can compare it."
  static let remedy = "Make the inverse unique, or make a value unique that represents the list."
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.stops])
        var stops: [Stop] = []
      }
      @Model class Stop { var trip: Trip? }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.code])
        var code: String
        var stops: [Stop] = []
      }
      @Model class Stop { var trip: Trip? }
      """#)
}
