import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

/// MIG044
struct BecameOptional: HopRule {
  static let id = DiagnosticID("MIG044", "became-optional")
  static let severity = Severity.info
  static let summary = "What becomes optional is looked at, since Swift code has to follow."
  static let why = """
    Stores follow by themselves. Swift code that reads the property does not compile any more, and a \
    program of the version before cannot read a row that has nothing there.
    """
  static let remedy = "Nothing has to be done to stores; unwrap the value where it is read."
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
      "'\(change.subject)' was required in version \(stage.from.version) and can be nil now",
      related: change.oldRange.map { [.init($0, "it is here in version \(stage.from.version)")] } ?? [])
  }
}
