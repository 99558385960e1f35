import Trellis

/// Merges the new models of a request with the rows that have their unique values, after a violated unique constraint.
struct PostgresMerge {
  let store: PostgresStore
  let request: DataStoreSaveChangesRequest<DefaultSnapshot>

  /// The request with updates in place of the insertions that are merged.
  ///
  /// A merge changes the references to the new model, so that another constraint may concern more rows. The check is
  /// repeated until it has read all of them, and only then are violations complete. No row is read twice, because rows of
  /// the request may have been deleted by others; writing them fails later.
  ///
  /// - Throws: `SwiftDataError.modelValidationFailure` for values that the policy of a constraint refuses.
  func settled() throws -> (DataStoreSaveChangesRequest<DefaultSnapshot>, SnapshotMerger?) {
    var stored: [PersistentIdentifier: DefaultSnapshot] = [:]
    var candidates = try candidates(request)
    var read: Set<PersistentIdentifier> = []
    while true {
      read.formUnion(candidates)
      for snapshot in try store.snapshots(of: candidates).snapshots { stored[snapshot.persistentIdentifier] = snapshot }
      var check = UniquenessCheck(request, store.constraints)
      try check.run(stored: Array(stored.values))
      guard !check.merges.isEmpty else {
        try refuse(check.violations)
        return (request, nil)
      }
      var known = stored
      let related = SnapshotMerger.related(to: check.merges, in: request, stored).flatMap(\.identifiers)
      for snapshot in try store.snapshots(of: (related + partners(check.merges)).sorted()).snapshots {
        known[snapshot.persistentIdentifier] = snapshot
      }
      var merger = SnapshotMerger(try filled(known), check.merges, stored: known)
      let merged = merger.run()
      candidates = try self.candidates(merged).filter { !read.contains($0) }
      if candidates.isEmpty {
        try refuse(check.violations)
        return (try narrowed(merged, known, targets: Set(check.merges.map(\.target))), merger)
      }
    }
  }

  private func refuse(_ violations: [SwiftDataError.Violation]) throws {
    guard violations.isEmpty else { throw SwiftDataError.modelValidationFailure.listing(violations) }
  }

  /// The rows that refer to a merged row, or to the partner of a merged model, in a one-to-one relationship.
  private func partners(_ merges: [UniquenessCheck.Merge]) throws -> [PersistentIdentifier] {
    var found: [PersistentIdentifier] = []
    for merge in merges {
      let new = request.inserted[merge.position]
      guard let definition = new.buffer.definition else { continue }
      for relation in try store.plans.plan(for: definition).pairs {
        guard let inverse = relation.inverse else { continue }
        let partners = try store.plans.plan(for: relation.destination)
        found += try store.rows(referringTo: merge.target, in: inverse.slot, of: partners)
        if let partner = new.buffer.reference(new.index, relation.slot), !partner.isTemporary {
          found += try store.rows(referringTo: partner, in: relation.slot, of: store.plans.plan(for: definition))
        }
      }
    }
    return found
  }

  /// The rows that have a unique value of a snapshot in a request.
  private func candidates(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> [PersistentIdentifier] {
    try UniquenessCheck(request, store.constraints).concerned().flatMap { try store.candidates($0, request) }
  }

  /// The request with the members of lists that the context has not read, because a merge adds to them.
  private func filled(
    _ known: [PersistentIdentifier: DefaultSnapshot]
  ) throws -> DataStoreSaveChangesRequest<DefaultSnapshot> {
    let unread = request.updated.filter { snapshot in
      known[snapshot.persistentIdentifier] == nil && !missingLists(snapshot).isEmpty
    }
    let read = try store.snapshots(of: unread.map(\.persistentIdentifier).sorted()).byIdentifier
    let updated = request.updated.map { snapshot -> DefaultSnapshot in
      let missing = missingLists(snapshot)
      guard !missing.isEmpty, let old = known[snapshot.persistentIdentifier] ?? read[snapshot.persistentIdentifier]
      else { return snapshot }
      let copy = snapshot.buffer.copy(snapshot.index)
      for slot in missing { copy.setReferences(0, slot, old.buffer.references(old.index, slot)) }
      return DefaultSnapshot(copy, 0, like: snapshot)
    }
    return DataStoreSaveChangesRequest(
      inserted: request.inserted, updated: updated, deleted: request.deleted, editingState: request.editingState)
  }

  private func missingLists(_ snapshot: DefaultSnapshot) -> [Int] {
    (snapshot.buffer.definition?.layout.lists ?? []).map(\.slot)
      .filter { snapshot.buffer.references(snapshot.index, $0) == nil }
  }

  // MARK: what is written

  /// The request of the merger with the values that really change: others may have changed the rest meanwhile.
  private func narrowed(
    _ merged: DataStoreSaveChangesRequest<DefaultSnapshot>, _ stored: [PersistentIdentifier: DefaultSnapshot],
    targets: Set<PersistentIdentifier>
  ) throws -> DataStoreSaveChangesRequest<DefaultSnapshot> {
    let originals = Dictionary(
      request.updated.map { ($0.persistentIdentifier, $0) }, uniquingKeysWith: { first, _ in first })
    let updated = try merged.updated.map { snapshot -> DefaultSnapshot in
      let identifier = snapshot.persistentIdentifier
      if !targets.contains(identifier), let original = originals[identifier] {
        return DefaultSnapshot(
          snapshot.buffer, snapshot.index, like: original, changed: otherReferences(snapshot, original))
      }
      guard let old = stored[identifier] else { return snapshot }
      return try difference(of: snapshot, from: old)
    }
    var settled = DataStoreSaveChangesRequest(
      inserted: merged.inserted, updated: updated, deleted: merged.deleted, editingState: merged.editingState)
    settled.deletedRows = request.deletedRows
    settled.clearedRows = request.clearedRows
    return settled
  }

  /// The references that the merger has changed.
  private func otherReferences(_ snapshot: DefaultSnapshot, _ original: DefaultSnapshot) -> PropertySet {
    var slots = PropertySet()
    for relation in snapshot.buffer.definition?.relations.references ?? [] {
      let new = snapshot.buffer.reference(snapshot.index, relation.slot)
      if new != original.buffer.reference(original.index, relation.slot) { slots.insert(relation.slot) }
    }
    return slots
  }

  private func difference(of snapshot: DefaultSnapshot, from old: DefaultSnapshot) throws -> DefaultSnapshot {
    let differing = try snapshot.buffer.differing(snapshot.index, from: old.buffer, old.index)
    var members: [Int: [PersistentIdentifier]] = [:]
    for list in snapshot.buffer.definition?.layout.lists ?? [] {
      members[list.slot] = old.buffer.references(old.index, list.slot)
    }
    return DefaultSnapshot(
      buffer: snapshot.buffer, index: snapshot.index, differing: differing, formerMembers: members)
  }
}
