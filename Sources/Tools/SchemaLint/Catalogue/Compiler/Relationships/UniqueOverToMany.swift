import SchemaDiagnostics

/// UNQ007
struct UniqueOverToMany: RuleDescription {
  static let id = DiagnosticID.uniqueOverToMany
  static let severity = Severity.error
  static let summary = "What is unique is a value or a reference, and not a list of models."
  static let why = "A row does not have the list, so that no store can compare it."
  static let remedy = "Make the other side unique, or a value that stands for the list."
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
