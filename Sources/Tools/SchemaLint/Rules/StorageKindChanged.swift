import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

/// MIG071
struct StorageKindChanged: HopRule {
  static let id = DiagnosticID("MIG071", "storage-kind-changed")
  static let severity = Severity.warning
  static let summary = "A property's storage location does not change."
  static let why = """
    Stores migrate automatically, but every row with the value is rewritten, which takes time for large \
    values, and external tools that read the store still expect the old location.
    """
  static let remedy =
    "Keep the option, or suppress this finding at the property if the stores are small and no external tools read them."

  func check(_ stage: PlannedStage, _ history: SchemaHistory, in context: inout LintContext) {
    // The compiler reports changes that need a fill or lose data.
    for change in stage.changes where change.effect == .automatic {
      guard case .attribute(let detail) = change, Self.isOfStorage(detail.aspect) else { continue }
      context.report(.storageKindChanged(change, stage, context.place(of: change)))
    }
  }

  private static func isOfStorage(_ aspect: AttributeChange.Aspect) -> Bool {
    switch aspect {
    case .optionAdded(.externalStorage), .optionRemoved(.externalStorage),
      .optionAdded(.codable), .optionRemoved(.codable), .storage, .becameStored,
      .optionRemoved(.ephemeral):
      true
    default: false
    }
  }
}

extension Diagnostic {
  fileprivate static func storageKindChanged(
    _ change: SchemaChange, _ stage: PlannedStage, _ range: SourceRange
  ) -> Self {
    Self(
      StorageKindChanged.id, StorageKindChanged.severity, at: range,
      "\(change.text), which differs from the storage in version \(stage.from.version)",
      related: change.oldRange.map { [.init($0, "declared here in version \(stage.from.version)")] } ?? [],
      help: "check the effect on large stores and on external tools that read them")
  }
}
