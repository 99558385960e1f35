import SchemaDiagnostics

/// TYP011
struct TransientNeedsDefault: RuleDescription {
  static let id = DiagnosticID.transientNeedsDefault
  static let severity = Severity.error
  static let summary = "A property that is not stored has a value to begin with."
  static let why = "An object that is fetched has nothing else to fill the property with."
  static let remedy = "Give it a default value, or make it optional."
  static let fix = FixKind.add
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip {
        var name: String
        @Transient var isOpen: Bool
      }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        var name: String
        @Transient var isOpen: Bool = false
      }
      """#)
}
