import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

/// MIG032
struct TypeWidened: HopRule {
  static let id = DiagnosticID("MIG032", "type-widened")
  static let severity = Severity.info
  static let summary = "A wider type is reviewed, although no value is lost."
  static let why = """
    Stored values are converted automatically. Swift code that names the old type no longer compiles, and \
    an app with the previous version may read values that do not fit.
    """
  static let remedy = "No change is required unless an app with the previous version uses the same store."
  static let presence = RulePresence.strict

  func check(_ stage: PlannedStage, _ history: SchemaHistory, in context: inout LintContext) {
    for change in stage.changes where change.effect == .automatic && Self.isRetyped(change) {
      context.report(.typeWidened(change, stage, context.place(of: change)))
    }
  }

  private static func isRetyped(_ change: SchemaChange) -> Bool {
    switch change {
    case .attribute(let detail) where detail.aspect == .type:
      // Optionality is checked by a separate rule. Transient attributes are not stored.
      guard let old = detail.old, let new = detail.new, !old.isTransient, !new.isTransient
      else { return false }
      return old.type.unwrapped != new.type.unwrapped
    case .structure(let detail):
      guard case .fieldType(let old, let new) = detail.aspect else { return false }
      return old.type.unwrapped != new.type.unwrapped
    default: return false
    }
  }
}

extension Diagnostic {
  fileprivate static func typeWidened(
    _ change: SchemaChange, _ stage: PlannedStage, _ range: SourceRange
  ) -> Self {
    Self(
      TypeWidened.id, TypeWidened.severity, at: range, "\(change.text); no values are lost",
      related: change.oldRange.map { [.init($0, "declared here in version \(stage.from.version)")] } ?? [])
  }
}
