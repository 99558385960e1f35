import SchemaDiagnostics
import SchemaModel

/// Whether every migration is written where it is looked for.
enum MigrationChecks {
  static func check(_ history: SchemaHistory) -> [Diagnostic] {
    var problems: [Diagnostic] = []
    var previous: SchemaVersion?
    for version in history.versions {
      for migration in version.migrations where migration.from != previous {
        problems.append(.noSuchStage(migration, version, previous))
      }
      previous = version.version
    }
    problems += names(history)
    return problems
  }

  /// One function of the program for each name.
  private static func names(_ history: SchemaHistory) -> [Diagnostic] {
    var seen: [String: SourceRange] = [:]
    var problems: [Diagnostic] = []
    for step in history.versions.flatMap(\.migrations).flatMap(\.steps) {
      guard case .custom(let custom) = step else { continue }
      if let first = seen.updateValue(custom.range, forKey: custom.name) {
        problems.append(
          Diagnostic(
            .duplicateDeclaration, at: custom.range, "there are two custom steps '\(custom.name)'",
            related: [.init(first, "the other one is here")], help: "give it another name"))
      }
    }
    return problems
  }
}

extension Diagnostic {
  fileprivate static func noSuchStage(
    _ migration: ResolvedMigration, _ version: ResolvedSchema, _ previous: SchemaVersion?
  ) -> Self {
    guard let previous else {
      return Self(
        .missingStage, at: migration.range,
        "no version of '\(version.name)' before \(version.version) is released",
        help:
          "bring back 'versions/\(version.name)-\(migration.from)' and the line of the lock, or remove the block if no "
          + "store has that version")
    }
    return Self(
      .missingStage, at: migration.range,
      "stores come to \(version.version) from \(previous), not from \(migration.from)",
      help: "write 'migration from \(previous)'",
      fixIts: [.replace(migration.range, with: previous.description, title: "write '\(previous)'")])
  }
}
