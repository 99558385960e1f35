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
    self.frozen = frozen.sorted { $0.version < $1.version }
    self.lock = lock
  }

  /// The versions stores may have, oldest first; the last one is the head.
  package var versions: [ResolvedSchema] { older + [head] }

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
    return problems + stages.flatMap(\.diagnostics) + MigrationChecks.check(self)
  }

  /// What is worth knowing and does not stop a build: names that come back, guards that go. Empty
  /// while something is wrong with the versions themselves.
  package func advice() -> [Diagnostic] {
    guard !VersionChecks(history: self).diagnostics.hasErrors else { return [] }
    return HistoryAdvice(history: self).diagnostics
  }

  /// How stores of each version become stores of the next.
  package var stages: [PlannedStage] {
    zip(versions, versions.dropFirst()).map { StagePlanner(from: $0, to: $1).stage }
  }
}
