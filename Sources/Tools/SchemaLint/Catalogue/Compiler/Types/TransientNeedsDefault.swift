import SchemaDiagnostics

/// TYP011
struct TransientNeedsDefault: RuleDescription {
  static let id = DiagnosticID.transientNeedsDefault
  static let severity = Severity.error
  static let summary = "A property that is not stored has an initial value."
  static let why = "A fetched object has no other source for the value."
  static let remedy = "Add a default value, or make the property optional."
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
