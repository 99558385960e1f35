import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

/// MIG073
struct IndexChanged: HopRule {
  static let id = DiagnosticID("MIG073", "index-changed")
  static let severity = Severity.info
  static let summary = "An index that comes or goes is looked at, since every row is."
  static let why = """
    A new index is built when a store is opened for the first time, over all its rows, before the \
    program goes on. Without an old one a fetch may have to look at all of them.
    """
  static let remedy = "Nothing has to be done; try it with a store as large as the largest one out there."
  static let presence = RulePresence.strict

  func check(_ stage: PlannedStage, _ history: SchemaHistory, in context: inout LintContext) {
    for change in stage.changes {
      guard case .index = change else { continue }
      context.report(
        Diagnostic(Self.id, Self.severity, at: context.place(of: change), change.text))
    }
  }
}
