package import SchemaDiagnostics
package import SchemaModel

/// A schema with its released versions.
package struct SchemaHistory: Sendable {
  /// What is edited by hand.
  package let head: ResolvedSchema
  /// What was released, oldest first; one of them may be what the head still is.
  package let frozen: [ResolvedSchema]
  package let lock: VersionLock?
  /// The steps of stores from version to version, in the order of the versions they lead to. A version has one stage;
  /// the last stage leads from the newest released version to the head.
  package let stages: [PlannedStage]
  /// The versions for which an unreleased head needs a block and has none; the block may be empty.
  private let undecided: [SchemaVersion]
  /// The fingerprints of ``frozen``, in the same order. Computing one takes as long as reading the version.
  let fingerprints: [String]
  /// Nil if there is no released version, when nothing is compared.
  private let knownHeadFingerprint: String?

  /// - Parameter frozen: of this schema, in any order.
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

  /// The versions stores may have, oldest first; the last one is the head.
  package var versions: [ResolvedSchema] { older + [head] }

  package var headFingerprint: String { knownHeadFingerprint ?? head.fingerprint() }

  /// The fingerprint of one of ``versions``.
  package func fingerprint(of version: ResolvedSchema) -> String {
    guard version.version != head.version, let index = frozen.firstIndex(where: { $0.version == version.version })
    else { return headFingerprint }
    return fingerprints[index]
  }

  /// Which of them the schema of a store is; nil where it is none. Versions are alike where one has brought
  /// back what a former one had: then the number tells.
  package func index(of stored: ResolvedSchema) -> Int? {
    guard stored.version <= head.version else { return nil }
    let fingerprint = stored.fingerprint()
    let versions = versions
    let same = versions.indices.filter { self.fingerprint(of: versions[$0]) == fingerprint }
    return same.last { versions[$0].version == stored.version } ?? same.last
  }

  /// The released versions before the head.
  package var older: [ResolvedSchema] { frozen.filter { $0.version < head.version } }

  /// The lock these versions should have.
  package var rebuiltLock: VersionLock {
    // A head that was edited after its release is not the version that stores go through.
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

  /// Everything that is wrong with the versions or with the way from one to the next.
  package func check() -> [Diagnostic] {
    let problems = VersionChecks(history: self).diagnostics
    // Stages between versions that are not what they were released as say nothing.
    guard !problems.hasErrors else { return problems }
    let errors = HistoryAdvice(history: self).diagnostics.filter { $0.severity == .error }
    return problems + stages.flatMap(\.diagnostics) + MigrationChecks.check(self) + errors
  }

  /// What is worth knowing and does not stop a build: names that come back, guards that go. Empty
  /// while something is wrong with the versions themselves.
  package func advice() -> [Diagnostic] {
    guard !VersionChecks(history: self).diagnostics.hasErrors else { return [] }
    return HistoryAdvice(history: self).diagnostics.filter { $0.severity != .error }
  }

  /// The stages to the head; empty if it is released, and not edited any more.
  package var openStages: [PlannedStage] {
    frozen.contains { $0.version == head.version } ? [] : stagesToHead
  }

  /// The stages to the head, the one from the newest released version last.
  package var stagesToHead: [PlannedStage] { stages.filter { $0.to.version == head.version } }

  /// True if the stage needs a block in the head, also if the block is empty: nothing else shows that the head
  /// continues the version and its values.
  package func lacksMigration(_ stage: PlannedStage) -> Bool { undecided.contains(stage.from.version) }

  /// The released versions that lead to no later version.
  package var abandoned: [ResolvedSchema] {
    older.filter { version in !stages.contains { $0.from.version == version.version } }
  }

  /// The versions that a store passes, including the first and the last; nil if the way does not lead to the last
  /// one.
  package func way(from start: ResolvedSchema, to end: ResolvedSchema) -> [ResolvedSchema]? {
    stages(from: start, to: end).map { [start] + $0.map(\.to) }
  }

  /// The stages that a store passes; nil if they do not lead to the last version.
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

  /// The ways of all stores, as in `1.0.0 → 1.1.0 → 1.2.0, 1.0.1 → 1.2.0`.
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
