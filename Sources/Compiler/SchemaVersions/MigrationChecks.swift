import SchemaDiagnostics
import SchemaModel

/// Whether every migration is written where it is looked for.
enum MigrationChecks {
  static func check(_ history: SchemaHistory) -> [Diagnostic] {
    misplaced(history) + missing(history) + names(history)
  }

  private static func misplaced(_ history: SchemaHistory) -> [Diagnostic] {
    let versions = history.versions
    let open = Set(history.stagesToHead.map(\.from.version))
    return versions.indices.flatMap { index -> [Diagnostic] in
      // A second branch may have released a number in between.
      let known = index == versions.count - 1 ? open : Set(versions[..<index].map(\.version))
      return versions[index].migrations.filter { !known.contains($0.from) }.map {
        Diagnostic.noSuchStage($0, versions[index], index == 0 ? nil : versions[index - 1].version)
      }
    }
  }

  /// Versions of a second branch, whose stores need a separate migration.
  private static func missing(_ history: SchemaHistory) -> [Diagnostic] {
    history.openStages.filter { history.lacksMigration($0) }
      .map { .notContinued($0.from, history.head, isReleased: false) }
      + history.abandoned.map { .notContinued($0, history.head, isReleased: true) }
  }

  /// One function of the program for each name.
  private static func names(_ history: SchemaHistory) -> [Diagnostic] {
    var seen: [String: SourceRange] = [:]
    var problems: [Diagnostic] = []
    for custom in history.stages.flatMap(\.customs) {
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

  fileprivate static func notContinued(
    _ version: ResolvedSchema, _ head: ResolvedSchema, isReleased: Bool
  ) -> Self {
    let block = "'migration from \(version.version)'"
    return Self(
      .missingStage, at: head.versionRange,
      "no later version continues \(version.version): its stores have no way to \(head.version)",
      related: [.init(version.versionRange, "version \(version.version) is here")],
      help: isReleased
        ? "give the schema a new version with a \(block): trellis bump"
        : "write a \(block), also if it is empty: trellis bump")
  }
}
