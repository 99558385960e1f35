import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaReports
import SchemaVersions

/// MIG084
struct OlderAppCannotOpen: HopRule {
  static let id = DiagnosticID("MIG084", "older-app-cannot-open")
  static let severity = Severity.info
  static let summary = "Apps with the previous version can still use a store that this version has written."
  static let why = """
    An app and a widget are not updated simultaneously, and users return to older versions. The older \
    version may find rows that it cannot decode, or omit required values.
    """
  static let remedy = """
    Add the new declaration next to the existing declaration, which a later version removes; or update all \
    apps that share the store at once, and suppress this finding.
    """
  static let raises = [RuleRaise(.profile(.sharedStore), .error)]

  func check(_ stage: PlannedStage, _ history: SchemaHistory, in context: inout LintContext) {
    var seen: Set<String> = []
    for change in stage.changes where change.axes.contains(.readback) {
      // Report several changes to a type once.
      guard seen.insert(change.subject).inserted else { continue }
      context.report(.olderAppCannotOpen(change, stage, context.place(of: change)))
    }
  }
}

extension Diagnostic {
  fileprivate static func olderAppCannotOpen(
    _ change: SchemaChange, _ stage: PlannedStage, _ range: SourceRange
  ) -> Self {
    Self(
      OlderAppCannotOpen.id, OlderAppCannotOpen.severity, at: range,
      "an app with version \(stage.from.version) cannot use a store with this version: \(change.text)",
      related: change.oldRange.map { [.init($0, "declared here in version \(stage.from.version)")] } ?? [])
  }
}
