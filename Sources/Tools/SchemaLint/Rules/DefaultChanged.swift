import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

/// MIG070
struct DefaultChanged: HopRule {
  static let id = DiagnosticID("MIG070", "default-changed")
  static let severity = Severity.info
  static let summary = "A changed default is reviewed, because existing rows keep their values."
  static let why = """
    A default initializes new objects. Stored objects keep their values, so old and new rows contain \
    different defaults for the same property.
    """
  static let remedy = "Use a fill if existing rows should change."
  static let presence = RulePresence.strict

  func check(_ stage: PlannedStage, _ history: SchemaHistory, in context: inout LintContext) {
    let filled = Set(stage.fillings.flatMap(\.fills).map { "\($0.entity).\($0.property)" })
    for change in stage.changes {
      switch change {
      case .attribute(let detail) where detail.aspect == .defaultValue:
        guard let old = detail.old, let new = detail.new, old.defaultValue != nil,
          new.defaultValue != nil, !new.isTransient, !old.isTransient, !filled.contains(change.subject)
        else { continue }
        context.report(
          .defaultChanged(change, "existing rows keep their values", context.place(of: change)))
      case .structure(let detail) where change.effect == .automatic:
        guard case .fieldDefault(let old, let new) = detail.aspect, old.defaultValue != nil,
          new.defaultValue != nil
        else { continue }
        context.report(
          .defaultChanged(
            change, "values stored before the field was added are read with the new default",
            context.place(of: change)))
      default: continue
      }
    }
  }
}

extension Diagnostic {
  fileprivate static func defaultChanged(
    _ change: SchemaChange, _ consequence: String, _ range: SourceRange
  ) -> Self {
    Self(DefaultChanged.id, DefaultChanged.severity, at: range, "\(change.text): \(consequence)")
  }
}
