import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

/// MIG025
struct RenameAndRetype: HopRule {
  static let id = DiagnosticID("MIG025", "rename-and-retype")
  static let severity = Severity.warning
  static let summary = "A property's name and type do not change in the same version."
  static let why = """
    Reviewers see a removed and an added property. If values are wrong, it is unclear whether the wrong \
    values were used or the right values were converted incorrectly.
    """
  static let remedy = "Rename it in this version, and change the type in the next."

  func check(_ stage: PlannedStage, _ history: SchemaHistory, in context: inout LintContext) {
    var renamed: Set<String> = []
    for case .attribute(let change) in stage.changes where change.aspect == .renamed {
      renamed.insert(change.subject)
    }
    for change in stage.changes {
      guard case .attribute(let detail) = change, detail.aspect == .type,
        renamed.contains(change.subject), let old = detail.old, let new = detail.new,
        old.type.unwrapped != new.type.unwrapped
      else { continue }
      context.report(.renameAndRetype(change, old.name, stage, context.place(of: change)))
    }
  }
}

extension Diagnostic {
  fileprivate static func renameAndRetype(
    _ change: SchemaChange, _ oldName: String, _ stage: PlannedStage, _ range: SourceRange
  ) -> Self {
    Self(
      RenameAndRetype.id, RenameAndRetype.severity, at: range,
      "\(change.text), and it was named '\(oldName)' in version \(stage.from.version)",
      related: change.oldRange.map { [.init($0, "declared here in version \(stage.from.version)")] } ?? [],
      help: "rename it in this version, and change the type in the next")
  }
}
