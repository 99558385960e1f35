import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

/// The migration template that a developer completes. Missing values are placeholders that do not compile; decisions
/// are comments.
enum MigrationSkeleton {
  static let value = "<#value#>"

  static func lines(_ stage: PlannedStage) -> [String] {
    var lines: [String] = []
    for change in stage.unhandled where !change.isSuccessor {
      let own = change.successors.isEmpty ? Self.lines(change, stage) : question(change, stage)
      for line in own where !lines.contains(line) { lines.append(line) }
    }
    return lines
  }

  /// Returns comments for a probable rename: the `originalName` to declare, or the steps to use otherwise.
  private static func question(_ removal: UnhandledChange, _ stage: PlannedStage) -> [String] {
    let renames = removal.successors.map {
      "// renamed '\(removal.subject)' to '\($0.new)'? write '\($0.declaration)' there; otherwise:"
    }
    let additions = stage.unhandled.filter { addition in
      addition.isSuccessor && removal.successors.contains { $0.new == addition.subject }
    }
    let steps = ([removal] + additions).flatMap { lines($0, stage) }
    return renames + steps.map { $0.hasPrefix("//") ? $0 : "// " + $0 }
  }

  private static func lines(_ unhandled: UnhandledChange, _ stage: PlannedStage) -> [String] {
    let acceptance = "// accept \(unhandled.rule.code) \(unhandled.subject) -- \"why\""
    switch unhandled.change {
    case .attribute(let change):
      return change.effect == .losesData ? [acceptance] : ["fill \(change.subject) = \(value)"]
    case .relationship(let change):
      if change.aspect == .added, case .toOne? = change.new?.cardinality {
        return ["fill \(change.subject) = \(value)"]
      }
      return change.effect == .losesData ? [acceptance] : ["// custom \(name(change.subject))", acceptance]
    case .unique(.added(let unique, let entity)):
      let paths = unique.properties.map { "\\.\($0)" }.joined(separator: ", ")
      return ["// dedupe \(entity) on [\(paths)] keep newest"]
    case .enumeration(let change): return fills(of: change.name, unhandled.change, stage, acceptance)
    case .structure(let change): return fills(of: change.name, unhandled.change, stage, acceptance)
    case .entity(let change):
      return change.effect == .losesData
        ? [acceptance] : ["// custom \(name(change.subject))", acceptance]
    case .schema, .index, .unique: return [acceptance]
    }
  }

  /// Returns fills for a removed field or enum case. A removed field can be accepted; a removed enum case requires a
  /// value.
  private static func fills(
    of type: String, _ change: SchemaChange, _ stage: PlannedStage, _ acceptance: String
  ) -> [String] {
    let names = Counterparts(from: stage.from, to: stage.to)
    let holders = stage.to.holders(of: type, about: change)
      .filter { names.oldName(of: $0.property, in: $0.entity) != nil }
    return holders.isEmpty ? [acceptance] : holders.map { "fill \($0.entity).\($0.property) = \(value)" }
  }

  /// `moveTripStops`
  private static func name(_ subject: String) -> String {
    "move" + subject.split(separator: ".").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
