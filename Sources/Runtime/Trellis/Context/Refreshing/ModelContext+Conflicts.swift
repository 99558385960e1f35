/// What others have overwritten of what this context has changed, for ``ConflictPolicy/fail``.
///
/// Before a save the context takes over what others have saved: ``rollback()`` then leads to the present
/// values. What the program had seen when it changed them is kept beside, as that is what counts.
extension ModelContext {
  func failsOnConflict(in store: StoreHandle) -> Bool {
    (conflictPolicy ?? store.conflictPolicy) == .fail
  }

  /// The changed values of a model that a fresh row has other ones for, with those known already.
  func overtaken(
    _ side: TrackedState, by fresh: SnapshotBuffer, _ index: Int
  ) -> FormerRow.Overtaken? {
    guard let committed = side.committed else { return nil }
    let known = committed.overtaken
    // What cannot be compared counts as overwritten.
    var slots =
      (try? committed.buffer.differing(
        committed.index, from: fresh, index, among: side.changed, isForgiving: true))
      ?? side.changed
    if let known { slots.formUnion(known.slots) }
    guard !slots.isEmpty, let row = try? committed.asChanged() else { return nil }
    return FormerRow.Overtaken(row.index == 0 ? row.buffer : row.buffer.copy(row.index), slots)
  }
}

extension FormerRow {
  /// The values that were there when they were changed.
  func asChanged() throws -> FormerRow {
    guard let overtaken else { return self }
    return try buffer.replacing(index, overtaken.slots, from: overtaken.buffer, 0).map { FormerRow($0) } ?? self
  }
}
