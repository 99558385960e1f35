import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

/// MIG072
struct PreserveRemoved: HopRule {
  static let id = DiagnosticID("MIG072", "preserve-removed")
  static let severity = Severity.warning
  static let summary = "What was preserved on deletion goes on being preserved."
  static let why = """
    Whoever reads the history knows deleted objects by the preserved values. From this version on they \
    are missing, and a deletion cannot be passed on to a server any more.
    """
  static let remedy = "Keep '.preserveValueOnDeletion', until nobody reads histories of the older version."
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
      "'\(change.subject)' is not preserved on deletion any more",
      related: change.oldRange.map { [.init($0, "it is in version \(stage.from.version)")] } ?? [],
      help: "keep '.preserveValueOnDeletion' as long as somebody reads the history",
      fixIts: edit.map { [FixIt("preserve it on deletion", [$0])] } ?? [])
  }
}
