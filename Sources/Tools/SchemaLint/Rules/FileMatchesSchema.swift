import SchemaDiagnostics
import SchemaModel

/// NAM014
struct FileMatchesSchema: LintRule {
  static let id = DiagnosticID("NAM014", "file-matches-schema")
  static let severity = Severity.info
  static let summary = "A single-file schema and its file have the same name."
  static let why = """
    Generated Swift is named after the file; versions and the migration plan are named after the schema. \
    If the two names are the same, a reader who knows either finds both.
    """
  static let remedy = "Rename the file; a released schema's name is recorded in stores."
  static let presence = RulePresence.strict
  static let example: RuleExample? = RuleExample(
    bad: "schema Journeys 1.0.0\n@Model class Trip { var name: String }\n",
    good: "schema Trips 1.0.0\n@Model class Trip { var name: String }\n")

  func run(in context: inout LintContext) {
    let schema = context.schema
    // Multi-file schemas name their files after the contents.
    guard schema.files.count == 1, let file = schema.files.first, file.stem != schema.name else { return }
    context.report(
      Diagnostic(
        Self.id, Self.severity, at: schema.versionRange,
        "schema '\(schema.name)' is in a file named '\(file.stem)'",
        help: "rename the file to '\(schema.name).schema'"))
  }
}
