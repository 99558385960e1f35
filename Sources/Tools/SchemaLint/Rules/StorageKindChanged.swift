import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

/// MIG071
struct StorageKindChanged: HopRule {
  static let id = DiagnosticID("MIG071", "storage-kind-changed")
  static let severity = Severity.warning
  static let summary = "A property is kept the way it was kept."
  static let why = """
    Stores follow, but every row with the value is written anew, which takes its time where values are \
    large, and other programs that read the store look for them at the old place.
    """
  static let remedy = """
    Keep the option, or suppress this at the property when the stores are small enough and nobody else \
    reads them.
    """

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
      "\(change.text), and version \(stage.from.version) keeps it another way",
      related: change.oldRange.map { [.init($0, "it is here in version \(stage.from.version)")] } ?? [],
      help: "look at what that means for large stores and for other programs that read them")
  }
}
