import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

/// The steps of a migration that the source takes without saying them.
struct ImportedHop {
  struct Step {
    var line: String
    /// Whether a person has to look at it.
    var needsCheck: Bool
    var message: String
  }

  /// What the source says about the way from one version to the next, in words for the migration and the report.
  struct Source {
    /// Of what is accepted: `the lightweight stage from V1 to V2`.
    var reason: String
    /// Behind what is accepted: `as in 'Garden 2'`.
    var follows: String
    /// What the source does with rows that are equal.
    var equalRows: String
    /// What it does where rows need a value.
    var impossible: String
    /// The step for code of the program.
    var custom: String
    /// Whether the code is there already.
    var hasCode = false
    /// Whether the source leaves it open that something goes.
    var leavesOpen = false
  }

  let stage: PlannedStage
  let source: Source

  var steps: [Step] { stage.unhandled.flatMap(steps) }

  /// What `check` of the history stops at that is no missing step.
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
        return [Step(line: accepted, needsCheck: false, message: "\(text): the code of the step takes care of it")]
      }
    }
    switch unhandled.change {
    case .attribute(let change) where unhandled.rule == .requiredWithoutDefault:
      guard let old = change.old, let value = change.new?.defaultValue?.text else { break }
      return [
        Step(
          line: "fill \(unhandled.subject) = old.\(CoreDataSpelling.name(old.name) ?? old.name) ?? \(value)",
          needsCheck: false,
          message: "\(text): what was nil gets the default, \(source.follows)")
      ]
    case .unique(.added(let unique, let entity)):
      let paths = unique.properties.map { "\\.\($0)" }.joined(separator: ", ")
      return [
        Step(
          line: "dedupe \(entity) on [\(paths)] keep newest", needsCheck: true,
          message: "\(text): \(source.equalRows), the schema keeps the newest one")
      ]
    case let change where change.effect == .losesData && !unhandled.needsCustomStep:
      return [Step(line: accepted, needsCheck: source.leavesOpen, message: "\(text), \(source.follows)")]
    default: break
    }
    let custom = "custom \(source.custom)"
    let code = Step(line: custom, needsCheck: true, message: "\(text): '\(custom)' has to be written")
    return (unhandled.needsCustomStep && !source.hasCode ? [code] : [])
      + [Step(line: accepted, needsCheck: true, message: "\(text): \(source.impossible)")]
  }
}

extension DraftSchema {
  /// Says how stores of the versions before become stores of this one, until nothing is missing.
  ///
  /// - Parameter lines: what the migration has already.
  /// - Returns: the schema, nil where it does not compile, and what was added.
  mutating func addMigration(
    from older: [ResolvedSchema], _ source: ImportedHop.Source, lines: [String] = []
  ) -> (resolved: ResolvedSchema?, steps: [ImportedHop.Step]) {
    var lines = lines
    var added: [ImportedHop.Step] = []
    guard let previous = older.last else { return (resolved, added) }
    while dropOrigins(from: older) {}
    // What is said of one change may bring up another one.
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
    guard let stage = open.openStage else { return [] }
    let hop = ImportedHop(stage: stage, source: source)
    let steps = hop.steps
    guard steps.isEmpty else { return steps }
    let rules = SchemaHistory(head: resolved, frozen: older, lock: open.rebuiltLock).check()
      .filter { $0.severity == .error }.map(\.id)
    return Set(rules).sorted().flatMap { hop.acceptances(of: $0) }
  }
}
