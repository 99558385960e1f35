import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

/// Migration steps that the source performs implicitly.
struct ImportedHop {
  struct Step {
    var line: String
    /// True if a person must review the step.
    var needsCheck: Bool
    var message: String
  }

  /// Descriptions of a source migration step, for the migration block and the report.
  struct Source {
    /// The acceptance reason, for example `the lightweight stage from V1 to V2`.
    var reason: String
    /// The suffix for acceptances, for example `as in 'Garden 2'`.
    var follows: String
    /// How the source treats rows with equal values.
    var equalRows: String
    /// How the source treats rows that need a value.
    var impossible: String
    /// The custom step's name.
    var custom: String
    /// True if the source contains custom code.
    var hasCode = false
    /// True if the source declares no stage, so that losses may be unintended.
    var leavesOpen = false
  }

  let stage: PlannedStage
  let source: Source

  var steps: [Step] { stage.unhandled.flatMap(steps) }

  /// Returns acceptances for the changes that the history check reports under a rule.
  func acceptances(of rule: DiagnosticID) -> [Step] {
    stage.changes.filter { $0.rules.contains(rule) }.map { change in
      Step(
        line: acceptance(rule, change.subject), needsCheck: source.leavesOpen,
        message: "\(change.text), \(source.follows)")
    }
  }

  private func acceptance(_ rule: DiagnosticID, _ subject: String) -> String {
    "accept \(rule.code) \(subject) -- \(CoreDataSpelling.literal(source.reason))"
  }

  private func steps(_ unhandled: UnhandledChange) -> [Step] {
    let accepted = acceptance(unhandled.rule, unhandled.subject)
    let text = unhandled.change.text
    if source.hasCode, !unhandled.needsCustomStep {
      if case .unique = unhandled.change {
      } else {
        return [Step(line: accepted, needsCheck: false, message: "\(text): handled by the custom step")]
      }
    }
    switch unhandled.change {
    case .attribute(let change) where unhandled.rule == .requiredWithoutDefault:
      guard let old = change.old, let value = change.new?.defaultValue?.text else { break }
      return [
        Step(
          line: "fill \(unhandled.subject) = old.\(CoreDataSpelling.name(old.name) ?? old.name) ?? \(value)",
          needsCheck: false,
          message: "\(text): nil is replaced by the default, \(source.follows)")
      ]
    case .unique(.added(let unique, let entity)):
      let paths = unique.properties.map { "\\.\($0)" }.joined(separator: ", ")
      return [
        Step(
          line: "dedupe \(entity) on [\(paths)] keep newest", needsCheck: true,
          message: "\(text): \(source.equalRows); the schema keeps the newest row")
      ]
    case let change where change.effect == .losesData && !unhandled.needsCustomStep:
      return [Step(line: accepted, needsCheck: source.leavesOpen, message: "\(text), \(source.follows)")]
    default: break
    }
    let custom = "custom \(source.custom)"
    let code = Step(line: custom, needsCheck: true, message: "\(text): '\(custom)' must be implemented")
    return (unhandled.needsCustomStep && !source.hasCode ? [code] : [])
      + [Step(line: accepted, needsCheck: true, message: "\(text): \(source.impossible)")]
  }
}

extension DraftSchema {
  /// Adds migration steps from the previous version until the compiler reports none as missing.
  ///
  /// - Parameter lines: The existing lines of the migration.
  /// - Returns: The schema, or nil if it does not compile, and the added steps.
  mutating func addMigration(
    from older: [ResolvedSchema], _ source: ImportedHop.Source, lines: [String] = []
  ) -> (resolved: ResolvedSchema?, steps: [ImportedHop.Step]) {
    var lines = lines
    var added: [ImportedHop.Step] = []
    guard let previous = older.last else { return (resolved, added) }
    while dropOrigins(from: older) {}
    // A step can require further steps.
    for round in 0..<6 {
      let steps = round == 0 ? [] : missingSteps(from: older, source).filter { !lines.contains($0.line) }
      if round > 0, steps.isEmpty { break }
      for step in steps where !lines.contains(step.line) { lines.append(step.line) }
      added += steps
      migrations = ImportedText()
      guard !lines.isEmpty else { continue }
      for line in ["migration from \(previous.version) {"] + lines.map({ "    \($0)" }) + ["}"] { migrations.add(line) }
    }
    return (resolved, added)
  }

  private var resolved: ResolvedSchema? {
    let compilation = compile().compilation
    return compilation.hasErrors ? nil : compilation.schemas.first
  }

  private func missingSteps(from older: [ResolvedSchema], _ source: ImportedHop.Source) -> [ImportedHop.Step] {
    guard let resolved else { return [] }
    let open = SchemaHistory(head: resolved, frozen: older)
    guard let stage = open.openStages.last else { return [] }
    let hop = ImportedHop(stage: stage, source: source)
    let steps = hop.steps
    guard steps.isEmpty else { return steps }
    let rules = SchemaHistory(head: resolved, frozen: older, lock: open.rebuiltLock).check()
      .filter { $0.severity == .error }.map(\.id)
    return Set(rules).sorted().flatMap { hop.acceptances(of: $0) }
  }
}
