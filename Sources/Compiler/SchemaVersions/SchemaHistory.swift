package import SchemaDiagnostics
package import SchemaModel

/// A schema with its released versions.
package struct SchemaHistory: Sendable {
  /// What is edited by hand.
  package let head: ResolvedSchema
  /// What was released, oldest first; one of them may be what the head still is.
  package let frozen: [ResolvedSchema]
  package let lock: VersionLock?

  /// - Parameter frozen: of this schema, in any order.
  package init(head: ResolvedSchema, frozen: [ResolvedSchema] = [], lock: VersionLock? = nil) {
    self.head = head
    self.frozen = frozen.ordered { $0.version < $1.version }
    self.lock = lock
  }

  /// The versions stores may have, oldest first; the last one is the head.
  package var versions: [ResolvedSchema] { older + [head] }

  /// Which of them the schema of a store is; nil where it is none. Versions are alike where one has brought
  /// back what a former one had: then the number tells.
  package func index(of stored: ResolvedSchema) -> Int? {
    guard stored.version <= head.version else { return nil }
    let fingerprint = stored.fingerprint()
    let versions = versions
    let same = versions.indices.filter { versions[$0].fingerprint() == fingerprint }
    return same.last { versions[$0].version == stored.version } ?? same.last
  }

  /// The released versions before the head.
  package var older: [ResolvedSchema] { frozen.filter { $0.version < head.version } }

  /// The lock these versions should have.
  package var rebuiltLock: VersionLock {
    var previous: ResolvedSchema?
    return VersionLock(
      frozen.map { version in
        defer { previous = version }
        return VersionLock.Entry(
          version: version.version, fingerprint: version.fingerprint(),
          retired: previous.map { RetiredNames.names(from: $0, to: version) } ?? [])
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

  /// How stores of each version become stores of the next.
  package var stages: [PlannedStage] {
    let versions = versions
    return versions.indices.dropFirst().map { Self.stage(to: $0, of: versions) }
  }

  /// How stores of the newest released version become stores of the head; nil where that is released, and
  /// is not edited any more.
  package var openStage: PlannedStage? {
    let versions = versions
    guard versions.count > 1, !frozen.contains(where: { $0.version == head.version }) else { return nil }
    return Self.stage(to: versions.count - 1, of: versions)
  }

  private static func stage(to index: Int, of versions: [ResolvedSchema]) -> PlannedStage {
    StagePlanner(
      from: versions[index - 1], to: versions[index], earlier: Array(versions[..<index])
    ).stage
  }
}
