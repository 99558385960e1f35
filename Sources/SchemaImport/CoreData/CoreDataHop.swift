import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

/// The steps of a migration that Core Data took by itself, or with a mapping model.
struct CoreDataHop {
  struct Step {
    var line: String
    /// Whether a mapping model must have done something here.
    var needsCheck: Bool
    var message: String
  }

  let stage: PlannedStage
  /// `Model 2`
  let version: String

  var steps: [Step] { stage.unhandled.flatMap(steps) }

  /// What `check` of the history stops at that is no missing step.
  func acceptances(of rule: DiagnosticID) -> [Step] {
    stage.changes.filter { $0.rules.contains(rule) }.map { change in
      Step(line: acceptance(rule, change.subject), needsCheck: false, message: "\(change.text), as in '\(version)'")
    }
  }

  private func acceptance(_ rule: DiagnosticID, _ subject: String) -> String {
    "accept \(rule.code) \(subject) -- \(CoreDataSpelling.literal("'\(version)' of the Core Data model"))"
  }

  private func steps(_ unhandled: UnhandledChange) -> [Step] {
    let accepted = acceptance(unhandled.rule, unhandled.subject)
    let text = unhandled.change.text
    switch unhandled.change {
    case .attribute(let change) where unhandled.rule == .requiredWithoutDefault:
      guard let old = change.old, let value = change.new?.defaultValue?.text else { break }
      return [
        Step(
          line: "fill \(unhandled.subject) = old.\(CoreDataSpelling.name(old.name) ?? old.name) ?? \(value)", needsCheck: false,
          message: "\(text): what was nil gets the default, as in Core Data")
      ]
    case .unique(.added(let unique, let entity)):
      let paths = unique.properties.map { "\\.\($0)" }.joined(separator: ", ")
      return [
        Step(
          line: "dedupe \(entity) on [\(paths)] keep newest", needsCheck: true,
          message: "\(text): Core Data refuses rows that are equal, the schema keeps the newest one")
      ]
    case let change where change.effect == .losesData && !unhandled.needsCustomStep:
      return [Step(line: accepted, needsCheck: false, message: "\(text), as in '\(version)'")]
    default: break
    }
    let custom = "custom migrateTo\(version.filter { $0.isLetter || $0.isNumber })"
    return (unhandled.needsCustomStep ? [Step(line: custom, needsCheck: true, message: "\(text): '\(custom)' has to be written")] : [])
      + [
        Step(
          line: accepted, needsCheck: true,
          message: "\(text): Core Data cannot do this without a mapping model; say in a 'fill' what rows get")
      ]
  }
}
