import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

/// MIG070
struct DefaultChanged: HopRule {
  static let id = DiagnosticID("MIG070", "default-changed")
  static let severity = Severity.info
  static let summary = "A default that changes is looked at, since rows do not follow."
  static let why = """
    A default is what new objects begin with. Those that are stored keep the value they have, so that \
    the same thing has one value in old stores and another one in new ones.
    """
  static let remedy = "Say in a fill what old rows get, if they are to follow."
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
          .defaultChanged(change, "rows that are there keep the value they have", context.place(of: change)))
      case .structure(let detail) where change.effect == .automatic:
        guard case .fieldDefault(let old, let new) = detail.aspect, old.defaultValue != nil,
          new.defaultValue != nil
        else { continue }
        context.report(
          .defaultChanged(
            change, "values from before the field was there are read with the new one",
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
