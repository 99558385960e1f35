import SchemaDiagnostics

/// TYP008
struct DuplicateRawValue: RuleDescription {
  static let id = DiagnosticID.duplicateRawValue
  static let severity = Severity.error
  static let summary = "Every enum case has a unique raw value."
  static let why = "A row with the raw value could stand for either case."
  static let remedy = "Change either raw value."
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var kind: Kind }
      enum Kind: Int, Codable { case work = 1, leisure = 1 }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var kind: Kind }
      enum Kind: Int, Codable { case work = 1, leisure = 2 }
      """#)
}
