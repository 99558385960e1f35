import SchemaDiagnostics
import SchemaModel

/// NAM014
struct FileMatchesSchema: LintRule {
  static let id = DiagnosticID("NAM014", "file-matches-schema")
  static let severity = Severity.info
  static let summary = "A schema in one file has the name of the file."
  static let why = """
    Generated Swift is named after the file, versions and plan after the schema. Whoever knows one of \
    the two names looks for the other.
    """
  static let remedy = "Rename the file; the name of a schema that was released stands in its stores."
  static let presence = RulePresence.strict
  static let example: RuleExample? = RuleExample(
    bad: "schema Journeys 1.0.0\n@Model class Trip { var name: String }\n",
    good: "schema Trips 1.0.0\n@Model class Trip { var name: String }\n")

  func run(in context: inout LintContext) {
    let schema = context.schema
    // Files of a schema with several files are named after their contents.
    guard schema.files.count == 1, let file = schema.files.first, file.stem != schema.name else { return }
    context.report(
      Diagnostic(
        Self.id, Self.severity, at: schema.versionRange,
        "schema '\(schema.name)' is in a file named '\(file.stem)'",
        help: "rename the file to '\(schema.name).schema'"))
  }
}
