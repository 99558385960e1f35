/// A save in a custom store, which has no transactions: checks run first, then a single call saves all changes.
final class SnapshotTransaction: StoreTransaction {
  private let handle: StoreHandle
  private var isLocked = false
  private var request: DataStoreSaveChangesRequest<DefaultSnapshot>?
  private var merger: SnapshotMerger?

  init(_ handle: StoreHandle) { self.handle = handle }

  var commitReading: CommitReading { .before }

  func begin() {
    // Also locked for a ``ConcurrentDataStore``, so that no other save occurs between the checks and this save.
    handle.lock.lock()
    isLocked = true
  }

  func write(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>, commitsNext: Bool) throws {
    self.request = request
    let check = UniquenessCheck(request, handle.plans)
    let roots = handle.store.enforcesUniqueConstraints && !request.overwritesConflicts ? [] : try check.concerned()
    guard !roots.isEmpty || !request.committed.isEmpty else { return }
    if !request.committed.isEmpty {
      try ConflictCheck(request: request).run { identifiers, definition, buffer in
        try handle.read(identifiers, definition, request.editingState, into: buffer)
      }
    }
    if !roots.isEmpty { try merge(request, check, roots) }
  }

  /// Replaces insertions with updates according to the conflict policies of unique constraints.
  private func merge(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ unchecked: UniquenessCheck, _ roots: [ModelDefinition]
  ) throws {
    var check = unchecked
    let all = try roots.flatMap { try handle.snapshots(of: $0, request.editingState) }
    try check.run(stored: all)
    guard check.violations.isEmpty else { throw SwiftDataError.modelValidationFailure.listing(check.violations) }
    guard !check.merges.isEmpty else { return }
    var stored: [PersistentIdentifier: DefaultSnapshot] = [:]
    for snapshot in all { stored[snapshot.persistentIdentifier] = snapshot }
    for (definition, identifiers) in SnapshotMerger.related(to: check.merges, in: request, stored) {
      for snapshot in try handle.snapshots(Array(identifiers), definition, request.editingState) {
        stored[snapshot.persistentIdentifier] = snapshot
      }
    }
    var merger = SnapshotMerger(request, check.merges, stored: stored)
    self.request = merger.run()
    guard merger.violations.isEmpty else {
      throw SwiftDataError.modelValidationFailure.listing(merger.violations)
    }
    self.merger = merger
  }

  func commit() throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    guard let request else { throw DataStoreError.unsupportedFeature }
    let result = try handle.save(request)
    return try merger?.result(result, for: request) ?? result
  }

  func end() {
    if isLocked { handle.lock.unlock() }
    (isLocked, request, merger) = (false, nil, nil)
  }
}
