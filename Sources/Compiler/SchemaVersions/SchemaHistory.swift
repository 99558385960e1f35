package import SchemaDiagnostics
package import SchemaModel

/// A schema with its released versions.
package struct SchemaHistory: Sendable {
  /// The version that is edited by hand.
  package let head: ResolvedSchema
  /// The released versions, oldest first. The head may be equal to a released version.
  package let frozen: [ResolvedSchema]
  package let lock: VersionLock?
  /// Migration stages, in the order of their target versions. Each version has a single stage to a later version; the
  /// last stage leads from the newest released version to the head.
  package let stages: [PlannedStage]
  /// Versions for which an unreleased head must have a `migration from` block, which may be empty.
  private let undecided: [SchemaVersion]
  /// The fingerprints of ``frozen``, in the same order. Computing a fingerprint takes as long as reading the version.
  let fingerprints: [String]
  /// The head's fingerprint; `nil` if there are no released versions to compare.
  private let knownHeadFingerprint: String?

  /// - Parameter frozen: The schema's released versions, in any order.
  package init(head: ResolvedSchema, frozen: [ResolvedSchema] = [], lock: VersionLock? = nil) {
    self.head = head
    self.frozen = frozen.ordered { $0.version < $1.version }
    self.lock = lock
    fingerprints = self.frozen.map { $0.fingerprint() }
    knownHeadFingerprint = self.frozen.isEmpty ? nil : head.fingerprint()
    let routes = StageRoutes(
      self.frozen.filter { $0.version < head.version } + [head],
      releasedHead: self.frozen.first { $0.version == head.version })
    stages = routes.stages
    undecided = routes.undecided
  }

  /// All versions that a store may have, oldest first and ending with the head.
  package var versions: [ResolvedSchema] { older + [head] }

  package var headFingerprint: String { knownHeadFingerprint ?? head.fingerprint() }

  /// Returns the fingerprint of a version in ``versions``.
  package func fingerprint(of version: ResolvedSchema) -> String {
    guard version.version != head.version, let index = frozen.firstIndex(where: { $0.version == version.version })
    else { return headFingerprint }
    return fingerprints[index]
  }

  /// Returns the index in ``versions`` that matches a store's schema; `nil` if there is no match. If a later version
  /// restored an earlier schema, the version number decides.
  package func index(of stored: ResolvedSchema) -> Int? {
    guard stored.version <= head.version else { return nil }
    let fingerprint = stored.fingerprint()
    let versions = versions
    let same = versions.indices.filter { self.fingerprint(of: versions[$0]) == fingerprint }
    return same.last { versions[$0].version == stored.version } ?? same.last
  }

  /// The released versions before the head.
  package var older: [ResolvedSchema] { frozen.filter { $0.version < head.version } }

  /// The lock file contents that match these versions.
  package var rebuiltLock: VersionLock {
    // Stores use the released version, even if the head was edited afterwards.
    if let index = frozen.firstIndex(where: { $0.version == head.version }), fingerprints[index] != headFingerprint {
      return SchemaHistory(head: frozen[index], frozen: frozen).rebuiltLock
    }
    return VersionLock(
      zip(frozen, fingerprints).map { version, fingerprint in
        let before = frozen.filter { old in
          version.migrations.contains { $0.from == old.version }
            || stages.contains { $0.from.version == old.version && $0.to.version == version.version }
        }
        return VersionLock.Entry(
          version: version.version, fingerprint: fingerprint,
          retired: Set(before.flatMap { RetiredNames.names(from: $0, to: version) }).ordered())
      })
  }

  /// Returns all problems in the versions and in the migration from each version to the next.
  package func check() -> [Diagnostic] {
    let problems = VersionChecks(history: self).diagnostics
    // Stages between edited versions have no meaning.
    guard !problems.hasErrors else { return problems }
    let errors = HistoryAdvice(history: self).diagnostics.filter { $0.severity == .error }
    return problems + stages.flatMap(\.diagnostics) + MigrationChecks.check(self) + errors
  }

  /// Returns advice that does not stop a build, such as reused names or removed constraints. Empty while the versions
  /// themselves have errors.
  package func advice() -> [Diagnostic] {
    guard !VersionChecks(history: self).diagnostics.hasErrors else { return [] }
    return HistoryAdvice(history: self).diagnostics.filter { $0.severity != .error }
  }

  /// The stages to the head; empty if the head is released and can no longer be edited.
  package var openStages: [PlannedStage] {
    frozen.contains { $0.version == head.version } ? [] : stagesToHead
  }

  /// The stages to the head, ending with the stage from the newest released version.
  package var stagesToHead: [PlannedStage] { stages.filter { $0.to.version == head.version } }

  /// Returns true if the head needs a block for the stage. An empty block is enough, because it confirms that the head
  /// continues the version and its values.
  package func lacksMigration(_ stage: PlannedStage) -> Bool { undecided.contains(stage.from.version) }

  /// The released versions from which no migration leads to a later version.
  package var abandoned: [ResolvedSchema] {
    older.filter { version in !stages.contains { $0.from.version == version.version } }
  }

  /// Returns the versions that a store passes through, including the first and the last; `nil` if the last version
  /// cannot be reached.
  package func way(from start: ResolvedSchema, to end: ResolvedSchema) -> [ResolvedSchema]? {
    stages(from: start, to: end).map { [start] + $0.map(\.to) }
  }

  /// Returns the stages that a store passes through; `nil` if the last version cannot be reached.
  package func stages(from start: ResolvedSchema, to end: ResolvedSchema) -> [PlannedStage]? {
    var passed: [PlannedStage] = []
    var current = start.version
    while current < end.version {
      guard let stage = stages.first(where: { $0.from.version == current }), current < stage.to.version else {
        return nil
      }
      passed.append(stage)
      current = stage.to.version
    }
    return current == end.version ? passed : nil
  }

  /// The migration paths of all stores, for example `1.0.0 → 1.1.0 → 1.2.0, 1.0.1 → 1.2.0`.
  package var wayText: String {
    var passed: Set<SchemaVersion> = []
    var ways: [String] = []
    for version in versions where passed.insert(version.version).inserted {
      var way = [version.version]
      while let stage = stages.first(where: { $0.from.version == way.last }), !way.contains(stage.to.version) {
        way.append(stage.to.version)
        guard passed.insert(stage.to.version).inserted else { break }
      }
      ways.append(way.map(\.description).joined(separator: " → "))
    }
    return ways.joined(separator: ", ")
  }
}
