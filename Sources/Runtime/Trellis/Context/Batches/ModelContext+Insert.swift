extension ModelContext {
  /// Saves snapshots as new rows, without making objects of them.
  ///
  /// Everything is written in one transaction, however many there are, and at once: the snapshots are
  /// never pending, and changes that are pending in the context stay so. The sequence is read once
  /// and not kept, so a file of a million lines takes no more memory than one of a thousand.
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
  /// A custom store saves models in chunks, in the background of the context. A `PostgresStore` writes rows as well, unless
  /// other rows or constraints depend on them.
  ///
  /// Not in SwiftData.
  ///
  /// - Parameters:
  ///   - snapshots: the values of the new rows. An identifier of this store is an error; one of another
  ///     store is not taken over.
  ///   - chunkSize: the number of snapshots from one report to the next; in a store that saves models, the number saved at
  ///     a time. A sequence without contiguous storage is read in portions of this size, at most 4,096, and each portion
  ///     is written when it has been read. Default: 4,096.
  ///   - progress: called with the number of snapshots so far, after each `chunkSize` snapshots and at least once per
  ///     second while the sequence supplies any. An error that it throws ends the batch.
  /// - Returns: the identifiers of the rows.
  /// - Throws: ``SwiftDataError/modelValidationFailure`` with the violations, what the store throws and
  ///   what `progress` throws. Nothing is saved then; a store that saves models has saved the
  ///   chunks before.
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
    let progress = BatchProgress(interval: chunkSize, isStored: false, report: progress)
    return try write(isUpsert: true, progress) { add in try progress.visit(snapshots, add) }
  }
}
