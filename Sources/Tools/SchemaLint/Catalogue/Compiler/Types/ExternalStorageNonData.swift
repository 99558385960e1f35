import SchemaDiagnostics

/// TYP009
struct ExternalStorageNonData: RuleDescription {
  static let id = DiagnosticID.externalStorageNonData
  static let severity = Severity.error
  static let summary = "Only data and text are stored in external files."
  static let why = "A number is smaller than the name of the file that would contain it."
  static let remedy = "Remove '.externalStorage'."
  static let fix = FixKind.auto
  static let presence = RulePresence.always
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.externalStorage) var size: Int }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.externalStorage) var photo: Data }
      """#)
}
