extension ModelContext {
  /// Saves snapshots as new rows, without making objects of them.
  ///
  /// The snapshots are written at once and never pending. Pending changes of the context stay pending. Rows without effects
  /// on other rows are written in one transaction. The sequence is read once and not kept, so a file of a million lines takes
  /// no more memory than one of a thousand lines.
  ///
  ///     let trips = lines.lazy.map { Trip.Snapshot(name: $0.name, destination: $0.place) }
  ///     let result = try context.insert(contentsOf: trips) { print("\($0) trips") }
  ///
  /// The rules of the schema hold as they do for models: defaults, unique constraints with their
  /// policies, required references, counts, and both sides of every relationship. To-one
  /// relationships are identifiers of saved models or of other snapshots of the batch, in any order;
  /// a to-many relationship follows from the references of its members, and only one with a to-many
  /// inverse, or with none, can be named.
  ///
  /// When it is done, registered models and results observers of all contexts of the container follow
  /// what the batch has changed. ``didSave`` is posted with the identifiers as a ``BatchResult`` under
  /// ``BatchNotificationKey/batchResult``; ``willSave`` is not. There is nothing to undo or to roll back,
  /// not even in a ``transaction(block:)``. Where pending changes and the batch meet in a row, the one
  /// that is saved last wins.
  ///
  /// Other rows are saved as models, chunk by chunk: one-to-one and many-to-many relationships, lists with a minimum or
  /// maximum count and references to models of the same class have effects on other rows, and a conflict with a constraint
  /// may have some. An array without a `progress` block is one chunk, and so are all snapshots of a class that
  /// refers to itself. Custom stores always save models.
  ///
  /// Not in SwiftData.
  ///
  /// - Parameters:
  ///   - snapshots: the values of the new rows. An identifier of this store is an error; one of another
  ///     store is not taken over.
  ///   - chunkSize: the number of snapshots from one report to the next, and the number of models saved at a time. A sequence
  ///     without contiguous storage is read in portions of this size, at most 4,096, and each portion is written when it has
  ///     been read. Default: 4,096.
  ///   - progress: called with the number of snapshots so far, after each `chunkSize` snapshots and at least once per
  ///     second while the sequence supplies any. An error that it throws ends the batch.
  /// - Returns: the identifiers of the rows.
  /// - Throws: ``SwiftDataError/modelValidationFailure`` with the violations, what the store throws and
  ///   what `progress` throws. Nothing is saved then, except the chunks before if they are saved as models.
  @inlinable @discardableResult public func insert<Snapshots: Sequence>(
    contentsOf snapshots: Snapshots, chunkSize: Int = 4096,
    progress: ((_ count: Int) throws -> Void)? = nil
  ) throws -> BatchResult where Snapshots.Element: ModelSnapshot {
    let isStored = snapshots.withContiguousStorageIfAvailable { _ in true } ?? false
    let progress = BatchProgress(interval: chunkSize, isStored: isStored, report: progress)
    return try write(isUpsert: false, progress) { add in try progress.visit(snapshots, add) }
  }

  /// Saves snapshots as new rows, or into the rows that are there, without making objects of them.
  ///
  /// A snapshot with the identifier of a saved row overwrites that row. Any other overwrites the row
  /// that has the same values of a unique constraint, whatever the constraint's policy is, and is a
  /// new row when there is none. All attributes and to-one relationships are overwritten; to-many
  /// relationships keep their members and get those that the snapshot names.
  ///
  ///     // Once more, with what has changed since yesterday.
  ///     let result = try context.upsert(contentsOf: stations)
  ///     print("\(result.insertedCount) new, \(result.updatedCount) known")
  ///
  /// In everything else the same as ``insert(contentsOf:chunkSize:progress:)``.
  ///
  /// Not in SwiftData.
  ///
  /// - Throws: as ``insert(contentsOf:chunkSize:progress:)``; also when an identifier is of a row that
  ///   is gone, or the values of a snapshot conflict with two rows.
  @inlinable @discardableResult public func upsert<Snapshots: Sequence>(
    contentsOf snapshots: Snapshots, chunkSize: Int = 4096,
    progress: ((_ count: Int) throws -> Void)? = nil
  ) throws -> BatchResult where Snapshots.Element: ModelSnapshot {
    let isStored = snapshots.withContiguousStorageIfAvailable { _ in true } ?? false
    let progress = BatchProgress(interval: chunkSize, isStored: isStored, report: progress)
    return try write(isUpsert: true, progress) { add in try progress.visit(snapshots, add) }
  }
}

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
  private let refersToItself: Bool
  @usableFromInline var chunk: [S] = []
  private var saved: [PersistentIdentifier: PersistentIdentifier] = [:]
  @usableFromInline var result = BatchResult()

  @usableFromInline init(
    _ context: ModelContext, isUpsert: Bool, chunkSize: Int, progress: ((Int) throws -> Void)?
  ) {
    self.context = context
    self.isUpsert = isUpsert
    self.chunkSize = max(1, chunkSize)
    self.progress = progress
    refersToItself = S.Model._$definition.refersToItself
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
    return result
  }

  @inlinable mutating func save() throws {
    resolveReferences()
    let written =
      try isUpsert
      ? context.upsert(contentsOf: chunk, chunkSize: chunk.count)
      : context.insert(contentsOf: chunk, chunkSize: chunk.count)
    try note(written)
  }

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
    let relations = S.Model._$definition.relations
    for relation in relations.references {
      guard let old = snapshot.reference(relation.slot), let new = saved[old] else { continue }
      snapshot.setReference(relation.slot, to: new)
    }
    for relation in relations.toMany {
      guard let old = snapshot.references(relation.slot) else { continue }
      snapshot.setReferences(relation.slot, to: old.map { saved[$0] ?? $0 })
    }
  }
}
