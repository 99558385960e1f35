import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

/// MIG072
struct PreserveRemoved: HopRule {
  static let id = DiagnosticID("MIG072", "preserve-removed")
  static let severity = Severity.warning
  static let summary = "A value preserved on deletion remains preserved in later versions."
  static let why = """
    History readers identify deleted objects by the preserved values. From this version on, the values are \
    missing, and a deletion can no longer be forwarded to a server.
    """
  static let remedy = "Keep '.preserveValueOnDeletion' until the older version's histories are no longer read."
  static let fix = FixKind.ask

  func check(_ stage: PlannedStage, _ history: SchemaHistory, in context: inout LintContext) {
    for change in stage.changes {
      guard case .attribute(let detail) = change,
        detail.aspect == .optionRemoved(.preserveValueOnDeletion), let attribute = detail.new
      else { continue }
      let edit =
        attribute.isTransient || attribute.options.contains(.ephemeral)
        ? nil : context.sources.property(attribute.range)?.adding(.preserveValueOnDeletion)
      context.report(.preserveRemoved(change, stage, attribute.range, edit))
    }
  }
}

extension Diagnostic {
  fileprivate static func preserveRemoved(
    _ change: SchemaChange, _ stage: PlannedStage, _ range: SourceRange, _ edit: TextEdit?
  ) -> Self {
    Self(
      PreserveRemoved.id, PreserveRemoved.severity, at: range,
      "'\(change.subject)' is no longer preserved on deletion",
      related: change.oldRange.map { [.init($0, "declared here in version \(stage.from.version)")] } ?? [],
      help: "keep '.preserveValueOnDeletion' as long as the history is read",
      fixIts: edit.map { [FixIt("preserve it on deletion", [$0])] } ?? [])
  }
}
