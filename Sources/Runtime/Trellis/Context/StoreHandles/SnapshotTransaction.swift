/// A save in a custom store, which has no transactions: everything is checked first, and a single call saves the changes.
final class SnapshotTransaction<S: DataStore>: StoreTransaction {
  private let handle: SnapshotStoreHandle<S>
  private var isInCall = false
  private var isChecking = false
  private var request: DataStoreSaveChangesRequest<DefaultSnapshot>?
  private var merger: SnapshotMerger?

  init(_ handle: SnapshotStoreHandle<S>) { self.handle = handle }

  var commitReading: CommitReading { .before }

  func begin() {
    handle.beginCall()
    isInCall = true
  }

  func write(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>, commitsNext: Bool) throws {
    self.request = request
    let check = UniquenessCheck(request, handle.plans)
    let roots = handle.store.enforcesUniqueConstraints && !request.overwritesConflicts ? [] : try check.concerned()
    guard !roots.isEmpty || !request.committed.isEmpty else { return }
    // Several contexts may call a `Sendable` store at once.
    handle.savingLock.lock()
    isChecking = true
    if !request.committed.isEmpty {
      try ConflictCheck(request: request).run { identifiers, definition, buffer in
        try handle.read(identifiers, definition, request.editingState, into: buffer)
      }
    }
    if !roots.isEmpty { try merge(request, check, roots) }
  }

  /// Replaces insertions by updates where the policy of a unique constraint demands it.
  private func merge(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ unchecked: UniquenessCheck, _ roots: [ModelDefinition]
  ) throws {
    var check = unchecked
    var all: [DefaultSnapshot] = []
    for root in roots {
      let filter = ClassFilter(root, handle.store.schema)
      for found in try handle.everything(root.modelType, request.editingState) where filter.takes(found) {
        let snapshot = try SnapshotStoreHandle<S>.standard(found)
        try handle.gate.check(snapshot, root: root)
        all.append(snapshot)
      }
    }
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
    let result = try handle.bridged(request)
    return try merger?.result(result, for: request) ?? result
  }

  func end() {
    if isChecking { handle.savingLock.unlock() }
    if isInCall { handle.endCall() }
    (isChecking, isInCall, request, merger) = (false, false, nil, nil)
  }
}
