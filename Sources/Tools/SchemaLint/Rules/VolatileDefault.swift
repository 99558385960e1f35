import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// TYP005
struct VolatileDefault: HopRule {
  static let id = DiagnosticID("TYP005", "volatile-default")
  static let severity = Severity.warning
  static let summary = "Existing rows do not receive a default that differs for each new object."
  static let why = """
    A default such as 'UUID()' is evaluated for every new object, but only once for all rows that exist \
    when a migration adds the attribute. All of these rows get the same identifier or update time.
    """
  static let remedy =
    "Fill the attribute in the migration block from existing values; 'fill … = UUID()' gives each row a separate value."
  static let fix = FixKind.ask

  func check(_ stage: PlannedStage, _ history: SchemaHistory, in context: inout LintContext) {
    let fills = Set(stage.fillings.flatMap(\.fills).map { "\($0.entity).\($0.property)" })
    for case .attribute(let change) in stage.changes {
      guard change.aspect == .added || change.aspect == .becameStored, let attribute = change.new,
        !attribute.isTransient, !attribute.options.contains(.ephemeral), !fills.contains(change.subject),
        let value = attribute.defaultValue?.text, VolatileText.isVolatile(value)
      else { continue }
      let range = context.sources.property(attribute.range)?.binding.defaultValue?.range ?? attribute.range
      context.report(.volatileDefault(change.subject, value, since: "\(stage.from.version)", range))
    }
  }
}

extension Diagnostic {
  fileprivate static func volatileDefault(
    _ subject: String, _ value: String, since version: String, _ range: SourceRange
  ) -> Self {
    let shown = value.count > 40 || value.contains(where: \.isNewline) ? "this default" : "'\(value)'"
    return Self(
      VolatileDefault.id, VolatileDefault.severity, at: range,
      "all rows from version \(version) get the same value of \(shown)",
      help: "write 'fill \(subject) = …' in 'migration from \(version)'")
  }
}
