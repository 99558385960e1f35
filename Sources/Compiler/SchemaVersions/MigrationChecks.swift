import SchemaDiagnostics
import SchemaModel

/// Checks that every migration block belongs to a stage.
enum MigrationChecks {
  static func check(_ history: SchemaHistory) -> [Diagnostic] {
    misplaced(history) + missing(history) + names(history)
  }

  private static func misplaced(_ history: SchemaHistory) -> [Diagnostic] {
    let versions = history.versions
    let open = Set(history.stagesToHead.map(\.from.version))
    return versions.indices.flatMap { index -> [Diagnostic] in
      // Another branch may have released a version with a number in between.
      let known = index == versions.count - 1 ? open : Set(versions[..<index].map(\.version))
      let version = versions[index]
      let wrong = version.migrations.filter { !known.contains($0.from) }
      guard index > 0 else { return wrong.map { .nothingReleased($0, version) } }
      let origins = history.stages.filter { $0.to.version == version.version }.map(\.from.version)
      let free = origins.filter { origin in !version.migrations.contains { $0.from == origin } }
      let meant = wrong.count == 1 && free.count == 1 ? free[0] : nil
      return wrong.map { .noSuchStage($0, version, origins, meant) }
    }
  }

  /// Reports versions for which the head needs a block: versions on another branch, and the newest version if the
  /// branches' values differ.
  private static func missing(_ history: SchemaHistory) -> [Diagnostic] {
    let open = history.openStages
    return open.filter { history.lacksMigration($0) }
      .map {
        open.count > 1 && $0.from.version == history.older.last?.version
          ? .joinsBranches($0.from, history.head) : .notContinued($0.from, history.head, isReleased: false)
      }
      + history.abandoned.map { .notContinued($0, history.head, isReleased: true) }
  }

  /// Reports custom steps with the same name, because the app implements one function for each name.
  private static func names(_ history: SchemaHistory) -> [Diagnostic] {
    var seen: [String: SourceRange] = [:]
    var problems: [Diagnostic] = []
    for custom in history.stages.flatMap(\.customs) {
      if let first = seen.updateValue(custom.range, forKey: custom.name) {
        problems.append(
          Diagnostic(
            .duplicateDeclaration, at: custom.range, "duplicate custom step '\(custom.name)'",
            related: [.init(first, "first declared here")], help: "choose a different name"))
      }
    }
    return problems
  }
}

extension Diagnostic {
  fileprivate static func nothingReleased(_ migration: ResolvedMigration, _ version: ResolvedSchema) -> Self {
    Self(
      .missingStage, at: migration.range,
      "no version of '\(version.name)' before \(version.version) has been released",
      help:
        "restore 'versions/\(version.name)-\(migration.from)' and its line in the lock, or remove the block if no "
        + "store has that version")
  }

  /// - Parameters:
  ///   - origins: The versions that stores migrate from.
  ///   - meant: The only origin that has no block.
  fileprivate static func noSuchStage(
    _ migration: ResolvedMigration, _ version: ResolvedSchema, _ origins: [SchemaVersion], _ meant: SchemaVersion?
  ) -> Self {
    let known = origins.map(\.description).joined(separator: " and ")
    let blocks = origins.map { "'migration from \($0)'" }.joined(separator: " or ")
    let removal = "remove the block" + (origins.isEmpty ? "" : ", or move its steps to a \(blocks)")
    return Self(
      .missingStage, at: migration.range,
      origins.isEmpty
        ? "stores do not migrate to \(version.version) from \(migration.from)"
        : "stores migrate to \(version.version) from \(known), not from \(migration.from)",
      help: meant.map { "write 'migration from \($0)'" } ?? removal,
      fixIts: meant.map { [FixIt.replace(migration.range, with: $0.description, title: "write '\($0)'")] } ?? [])
  }

  fileprivate static func joinsBranches(_ newest: ResolvedSchema, _ head: ResolvedSchema) -> Self {
    Self(
      .missingStage, at: head.versionRange,
      "\(head.version) joins branches, but no migration handles the values in stores of \(newest.version)",
      related: [.init(newest.versionRange, "version \(newest.version) is here")],
      help: "write a 'migration from \(newest.version)' with the steps that exist only on the other branch; the block "
        + "may be empty: trellis bump")
  }

  fileprivate static func notContinued(
    _ version: ResolvedSchema, _ head: ResolvedSchema, isReleased: Bool
  ) -> Self {
    let block = "'migration from \(version.version)'"
    return Self(
      .missingStage, at: head.versionRange,
      "no later version continues \(version.version): its stores cannot migrate to \(head.version)",
      related: [.init(version.versionRange, "version \(version.version) is here")],
      help: isReleased
        ? "give the schema a new version with a \(block): trellis bump"
        : "write a \(block), which may be empty: trellis bump")
  }
}
