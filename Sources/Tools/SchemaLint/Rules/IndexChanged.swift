import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

/// MIG073
struct IndexChanged: HopRule {
  static let id = DiagnosticID("MIG073", "index-changed")
  static let severity = Severity.info
  static let summary = "An added or removed index is reviewed, because it affects every row."
  static let why = """
    When a store is first opened, a new index is built over all rows before the app continues. After an \
    index is removed, a fetch may have to read every row.
    """
  static let remedy = "No change is required; test the migration with a store as large as the largest one in use."
  static let presence = RulePresence.strict

  func check(_ stage: PlannedStage, _ history: SchemaHistory, in context: inout LintContext) {
    for change in stage.changes {
      guard case .index = change else { continue }
      context.report(
        Diagnostic(Self.id, Self.severity, at: context.place(of: change), change.text))
    }
  }
}
