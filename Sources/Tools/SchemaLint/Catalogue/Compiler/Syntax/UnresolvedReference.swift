import SchemaDiagnostics

/// SYN007
struct UnresolvedReference: RuleDescription {
  static let id = DiagnosticID.unresolvedReference
  static let severity = Severity.error
  static let summary = "Inverses, constraints, indexes and migrations refer only to existing declarations."
  static let why = "A constraint over a property that does not exist constrains nothing."
  static let remedy = "Write the name of a declared model or stored property."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip {
        #Index<Trip>([\.nme])
        var name: String
      }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        #Index<Trip>([\.name])
        var name: String
      }
      """#)
}
