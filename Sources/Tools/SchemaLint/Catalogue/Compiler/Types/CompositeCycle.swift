import SchemaDiagnostics

/// TYP020
struct CompositeCycle: RuleDescription {
  static let id = DiagnosticID.compositeCycle
  static let severity = Severity.error
  static let summary = "A struct or enum does not contain itself."
  static let why = "Such a value is infinitely large, and Swift cannot lay it out."
  static let remedy = "Store the nested values in an array, or make them a model with a relationship."
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var place: Place }
      struct Place: Codable { var name: String; var around: Place }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var place: Place }
      struct Place: Codable { var name: String }
      """#)
}
