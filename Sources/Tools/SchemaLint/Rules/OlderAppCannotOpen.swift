import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaReports
import SchemaVersions

/// MIG084
struct OlderAppCannotOpen: HopRule {
  static let id = DiagnosticID("MIG084", "older-app-cannot-open")
  static let severity = Severity.info
  static let summary = "Programs of the version before go on with a store that this one has written."
  static let why = """
    An app and its widget are not updated at one moment, and people go back to older versions. The one \
    that is left behind meets rows it cannot read, or misses what it has to write.
    """
  static let remedy = """
    Add beside what is there and take the old away a version later; or update all programs that share \
    the store at once, and suppress this where it is said.
    """
  static let raises = [RuleRaise(.profile(.sharedStore), .error)]

  func check(_ stage: PlannedStage, _ history: SchemaHistory, in context: inout LintContext) {
    var seen: Set<String> = []
    for change in stage.changes where change.axes.contains(.readback) {
      // Report several changes of a type once.
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
      "a program of version \(stage.from.version) cannot use a store of this one: \(change.text)",
      related: change.oldRange.map { [.init($0, "it is here in version \(stage.from.version)")] } ?? [])
  }
}
