import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

/// MIG044
struct BecameOptional: HopRule {
  static let id = DiagnosticID("MIG044", "became-optional")
  static let severity = Severity.info
  static let summary = "A property that becomes optional is reviewed, because Swift code must change."
  static let why = """
    Stores migrate automatically. Swift code that reads the property no longer compiles, and an app with the \
    previous version cannot read rows that contain nil.
    """
  static let remedy = "Stores need no change; unwrap the value in Swift code."
  static let presence = RulePresence.strict

  func check(_ stage: PlannedStage, _ history: SchemaHistory, in context: inout LintContext) {
    for change in stage.changes where Self.isOptionalNow(change) {
      context.report(.becameOptional(change, stage, context.place(of: change)))
    }
  }

  private static func isOptionalNow(_ change: SchemaChange) -> Bool {
    switch change {
    case .attribute(let detail) where detail.aspect == .type:
      guard let old = detail.old?.type, let new = detail.new?.type else { return false }
      return old == old.unwrapped && new != new.unwrapped
    case .relationship(let detail) where detail.aspect == .cardinality:
      switch (detail.old?.cardinality, detail.new?.cardinality) {
      case (.toOne(isOptional: false), .toOne(isOptional: true)),
        (.toMany(isOptional: false), .toMany(isOptional: true)):
        return true
      default: return false
      }
    default: return false
    }
  }
}

extension Diagnostic {
  fileprivate static func becameOptional(
    _ change: SchemaChange, _ stage: PlannedStage, _ range: SourceRange
  ) -> Self {
    Self(
      BecameOptional.id, BecameOptional.severity, at: range,
      "'\(change.subject)' was required in version \(stage.from.version) and is now optional",
      related: change.oldRange.map { [.init($0, "declared here in version \(stage.from.version)")] } ?? [])
  }
}
