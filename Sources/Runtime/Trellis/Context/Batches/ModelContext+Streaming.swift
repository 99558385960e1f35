extension ModelContext {
  /// Saves snapshots as they arrive as new rows, without making objects of them.
  ///
  ///     try await context.insert(contentsOf: lines.map { try Trip.Snapshot(parsing: $0) }) { count in
  ///       print("\(count) trips")
  ///     }
  ///
  /// Each chunk is a separate transaction, because an open transaction would keep other connections from writing while
  /// the context waits for the next snapshot. If an error ends the sequence, the chunks before it are saved and reported
  /// to `progress`. References lead to saved models, or to snapshots of the same or an earlier chunk.
  ///
  /// In everything else the same as ``insert(contentsOf:chunkSize:progress:)``. Not in SwiftData.
  ///
  /// - Parameters:
  ///   - snapshots: the values of the new rows.
  ///   - chunkSize: how many to save at a time.
  ///   - isolation: that of the context.
  ///   - progress: called with the number of saved snapshots after each chunk.
  /// - Returns: the identifiers of the rows.
  /// - Throws: as ``insert(contentsOf:chunkSize:progress:)``, and the errors of the sequence.
  @inlinable @discardableResult public func insert<Snapshots: AsyncSequence>(
    contentsOf snapshots: Snapshots, chunkSize: Int = 4096,
    isolation: isolated (any Actor)? = #isolation, progress: ((_ count: Int) throws -> Void)? = nil
  ) async throws -> BatchResult where Snapshots.Element: ModelSnapshot {
    var stream = SnapshotStream<Snapshots.Element>(
      self, isUpsert: false, chunkSize: chunkSize, progress: progress)
    for try await snapshot in snapshots { try stream.add(snapshot) }
    return try stream.finish()
  }

  /// Saves snapshots as they arrive as new rows, or into the rows that are there.
  ///
  /// Each chunk is a separate transaction, as in ``insert(contentsOf:chunkSize:isolation:progress:)``.
  /// ``upsert(contentsOf:chunkSize:progress:)`` describes which rows are overwritten. Not in SwiftData.
  ///
  /// - Throws: as ``upsert(contentsOf:chunkSize:progress:)``, and the errors of the sequence.
  @inlinable @discardableResult public func upsert<Snapshots: AsyncSequence>(
    contentsOf snapshots: Snapshots, chunkSize: Int = 4096,
    isolation: isolated (any Actor)? = #isolation, progress: ((_ count: Int) throws -> Void)? = nil
  ) async throws -> BatchResult where Snapshots.Element: ModelSnapshot {
    var stream = SnapshotStream<Snapshots.Element>(
      self, isUpsert: true, chunkSize: chunkSize, progress: progress)
    for try await snapshot in snapshots { try stream.add(snapshot) }
    return try stream.finish()
  }
}

/// Chunks of snapshots that arrive one by one.
@usableFromInline struct SnapshotStream<S: ModelSnapshot> {
  @usableFromInline let context: ModelContext
  @usableFromInline let isUpsert: Bool
  @usableFromInline let chunkSize: Int
  private let progress: ((Int) throws -> Void)?
  private let definition = S.Model._$definition
  private let refersToItself: Bool
  @usableFromInline var chunk: [S] = []
  private var saved: [PersistentIdentifier: PersistentIdentifier] = [:]
  private var result = BatchResult()

  @usableFromInline init(
    _ context: ModelContext, isUpsert: Bool, chunkSize: Int, progress: ((Int) throws -> Void)?
  ) {
    self.context = context
    self.isUpsert = isUpsert
    self.chunkSize = max(1, chunkSize)
    self.progress = progress
    let root = definition.root
    refersToItself = definition.relations.all.contains { $0.destination.root === root }
    chunk.reserveCapacity(min(self.chunkSize, 16_384))
  }

  // Inlined into the module of the snapshot, where the compiler knows its type. The snapshot is moved, because a copy
  // would retain and release each of its texts, whose memory is not in the cache any more.
  @inlinable mutating func add(_ snapshot: consuming S) throws {
    chunk.append(consume snapshot)
    if chunk.count == chunkSize { try save() }
  }

  @inlinable mutating func finish() throws -> BatchResult {
    if !chunk.isEmpty { try save() }
    return total()
  }

  @inlinable mutating func save() throws {
    resolveReferences()
    let written =
      try isUpsert
      ? context.upsert(contentsOf: chunk, chunkSize: chunk.count)
      : context.insert(contentsOf: chunk, chunkSize: chunk.count)
    try note(written)
  }

  @usableFromInline func total() -> BatchResult { result }

  /// Replaces identifiers of earlier chunks.
  @usableFromInline mutating func resolveReferences() {
    guard refersToItself, !saved.isEmpty else { return }
    for position in chunk.indices { resolve(&chunk[position]) }
  }

  @usableFromInline mutating func note(_ written: BatchResult) throws {
    if refersToItself {
      for (snapshot, identifier) in zip(chunk, written.identifiers) {
        saved[snapshot.persistentIdentifier] = identifier
      }
    }
    result.append(written)
    chunk.removeAll(keepingCapacity: true)
    try progress?(result.count)
  }

  private func resolve(_ snapshot: inout S) {
    for relation in definition.relations.references {
      guard let old = snapshot.reference(relation.slot), let new = saved[old] else { continue }
      snapshot.setReference(relation.slot, to: new)
    }
    for relation in definition.relations.toMany {
      guard let old = snapshot.references(relation.slot) else { continue }
      snapshot.setReferences(relation.slot, to: old.map { saved[$0] ?? $0 })
    }
  }
}
