import SchemaDiagnostics

/// SYN017
struct InheritanceCycle: RuleDescription {
  static let id = DiagnosticID.inheritanceCycle
  static let severity = Severity.error
  static let summary = "A model does not inherit from itself, directly or indirectly."
  static let why = "Such a class would have infinitely many properties, and Swift does not compile it."
  static let remedy = "Remove a superclass to break the cycle."
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip: Journey { var name: String }
      @Model class Journey: Trip { var size: Int }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip: Journey { var name: String }
      @Model class Journey { var size: Int }
      """#)
}
