extension ModelContext {
  /// Saves snapshots as new rows. No model objects are created.
  ///
  /// ```swift
  /// let titles = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").lazy
  /// let result = try context.insert(contentsOf: titles.map { BucketListItem.Snapshot(title: String($0)) }) { count in
  ///   print("\(count) items")
  /// }
  /// print("\(result.insertedCount) new rows")
  /// ```
  ///
  /// The snapshots are written immediately; the context's pending changes remain pending. Rows that do not affect
  /// other rows are written in a single transaction. The sequence is read once and not retained, so memory use does
  /// not depend on the number of snapshots.
  ///
  /// Schema rules apply as for models: default values, unique constraints with conflict policies, required references,
  /// member counts and inverse relationships. To-one relationships are identifiers of saved models or of snapshots in
  /// the batch, in any order. To-many relationships follow from the members' references; only relationships that have
  /// a to-many inverse or no inverse can be set directly.
  ///
  /// Afterwards, registered models and results observers in all contexts of the container are updated. ``didSave`` is
  /// posted with the identifiers as a ``BatchResult`` under ``BatchNotificationKey/batchResult``; ``willSave`` is not
  /// posted. The batch cannot be undone or rolled back, not even in a ``transaction(block:)``. If pending changes and
  /// the batch affect the same row, the last save wins.
  ///
  /// Rows that affect other rows are saved as models, in chunks. This applies to one-to-one and many-to-many
  /// relationships, lists with a minimum or maximum count, references to the same class, and some unique constraint
  /// conflicts. An array with no `progress` closure is saved as a single chunk, as are all snapshots of a class that
  /// refers to itself. Custom stores always save models.
  ///
  /// Not in SwiftData.
  ///
  /// - Parameters:
  ///   - snapshots: The values of the new rows. An identifier from this store is an error; identifiers from other
  ///     stores are ignored.
  ///   - chunkSize: The number of snapshots between progress reports, and the number of models saved at a time. A
  ///     sequence that has no contiguous storage is read in portions of this size, at most 4,096, and each portion is
  ///     written after it has been read. Default: 4,096.
  ///   - progress: Called with the snapshot count so far, after each `chunkSize` snapshots and at least once per
  ///     second while the sequence provides snapshots. If it throws an error, the batch ends.
  /// - Returns: The row identifiers, in snapshot order, and the number of new and overwritten rows.
  /// - Throws: ``SwiftDataError/modelValidationFailure`` with the violations; errors from the store and from
  ///   `progress`. Nothing is saved, except earlier chunks if the snapshots are saved as models.
  @inlinable @discardableResult public func insert<Snapshots: Sequence>(
    contentsOf snapshots: Snapshots, chunkSize: Int = 4096,
    progress: ((_ count: Int) throws -> Void)? = nil
  ) throws -> BatchResult where Snapshots.Element: ModelSnapshot {
    let isStored = snapshots.withContiguousStorageIfAvailable { _ in true } ?? false
    let progress = BatchProgress(interval: chunkSize, isStored: isStored, report: progress)
    return try write(isUpsert: false, progress) { add in try progress.visit(snapshots, add) }
  }

  /// Saves snapshots as new rows or overwrites existing rows. No model objects are created.
  ///
  /// A snapshot with a saved row's identifier overwrites that row. Any other snapshot overwrites the row with equal
  /// values in a unique constraint, regardless of the constraint's conflict policy, or becomes a new row if there is
  /// none. All attributes and to-one relationships are overwritten. To-many relationships keep existing members and
  /// add the snapshot's members.
  ///
  /// ```swift
  /// let address = Address(street: "Strandgaten 1", city: "Bergen")
  /// let bookings = ["A-17", "B-04"].map { reference in  // the booking reference is unique
  ///   LivingAccommodation.Snapshot(placeName: "Harbor Hostel", bookingReference: reference, address: address)
  /// }
  /// let result = try context.upsert(contentsOf: bookings)
  /// print("\(result.insertedCount) new, \(result.updatedCount) known")
  /// ```
  ///
  /// In all other respects, this function behaves like ``insert(contentsOf:chunkSize:progress:)``.
  ///
  /// Not in SwiftData.
  ///
  /// - Parameters:
  ///   - snapshots: The values of the rows. Identifiers from other stores are ignored.
  ///   - chunkSize: See ``insert(contentsOf:chunkSize:progress:)``.
  ///   - progress: Called with the snapshot count so far. If it throws an error, the batch ends.
  /// - Returns: The row identifiers, in snapshot order, and the number of new and overwritten rows.
  /// - Throws: The same errors as ``insert(contentsOf:chunkSize:progress:)``; also an error if an identifier belongs
  ///   to a deleted row, or if a snapshot conflicts with two rows.
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
  /// Saves snapshots as new rows as they arrive. No model objects are created.
  ///
  /// ```swift
  /// let (titles, continuation) = AsyncStream.makeStream(of: String.self)
  /// let receiver = Task {
  ///   for title in ["Museum", "Opera", "Harbor"] { continuation.yield(title) }
  ///   continuation.finish()
  /// }
  /// let items = titles.map { BucketListItem.Snapshot(title: $0) }
  /// try await context.insert(contentsOf: items, chunkSize: 1_000) { count in print("\(count) items") }
  /// ```
  ///
  /// Each chunk is a separate transaction, because an open transaction would block writes by other connections while
  /// the context waits for the next snapshot. If an error ends the sequence, earlier chunks have been saved and
  /// reported to `progress`. References must refer to saved models or to snapshots in the same or an earlier chunk.
  ///
  /// In all other respects, this function behaves like ``insert(contentsOf:chunkSize:progress:)``. Not in SwiftData.
  ///
  /// - Parameters:
  ///   - snapshots: The values of the new rows.
  ///   - chunkSize: The number of snapshots saved at a time.
  ///   - isolation: The context's isolation.
  ///   - progress: Called with the number of saved snapshots after each chunk.
  /// - Returns: The row identifiers, in snapshot order, and the number of new and overwritten rows.
  /// - Throws: The same errors as ``insert(contentsOf:chunkSize:progress:)``; errors from the sequence.
  @inlinable @discardableResult public func insert<Snapshots: AsyncSequence>(
    contentsOf snapshots: Snapshots, chunkSize: Int = 4096,
    isolation: isolated (any Actor)? = #isolation, progress: ((_ count: Int) throws -> Void)? = nil
  ) async throws -> BatchResult where Snapshots.Element: ModelSnapshot {
    var stream = SnapshotStream<Snapshots.Element>(
      self, isUpsert: false, chunkSize: chunkSize, progress: progress)
    for try await snapshot in snapshots { try stream.add(snapshot) }
    return try stream.finish()
  }

  /// Saves snapshots as new rows or overwrites existing rows as the snapshots arrive.
  ///
  /// ```swift
  /// let (references, continuation) = AsyncStream.makeStream(of: String.self)
  /// let receiver = Task {
  ///   for reference in ["A-17", "B-04"] { continuation.yield(reference) }
  ///   continuation.finish()
  /// }
  /// let address = Address(street: "Strandgaten 1", city: "Bergen")
  /// let bookings = references.map { reference in
  ///   LivingAccommodation.Snapshot(placeName: "Harbor Hostel", bookingReference: reference, address: address)
  /// }
  /// try await context.upsert(contentsOf: bookings, chunkSize: 100)
  /// ```
  ///
  /// Each chunk is a separate transaction, as in ``insert(contentsOf:chunkSize:isolation:progress:)``.
  /// ``upsert(contentsOf:chunkSize:progress:)`` describes which rows are overwritten. Not in SwiftData.
  ///
  /// - Parameters:
  ///   - snapshots: The values of the rows.
  ///   - chunkSize: The number of snapshots saved at a time.
  ///   - isolation: The context's isolation.
  ///   - progress: Called with the number of saved snapshots after each chunk.
  /// - Returns: The row identifiers, in snapshot order, and the number of new and overwritten rows.
  /// - Throws: The same errors as ``upsert(contentsOf:chunkSize:progress:)``; errors from the sequence.
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

/// Collects asynchronously received snapshots into chunks.
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

  // Inlined into the snapshot's module, where the compiler knows the type. The snapshot is moved, because a copy would
  // retain and release every text, whose memory is no longer in the CPU cache.
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
    try record(written)
  }

  /// Replaces temporary identifiers from earlier chunks.
  @usableFromInline mutating func resolveReferences() {
    guard refersToItself, !saved.isEmpty else { return }
    for position in chunk.indices { resolve(&chunk[position]) }
  }

  @usableFromInline mutating func record(_ written: BatchResult) throws {
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
