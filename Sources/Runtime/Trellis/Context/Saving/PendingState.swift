/// A copy of a context's pending changes, for restoring them.
struct PendingState {
  fileprivate struct Entry {
    let model: any PersistentModel
    let phase: TrackedState.Phase
    let values: FormerRow
    let committed: FormerRow?
    let changed: PropertySet
    let changedLists: PropertySet
    let isDeleted: Bool
    let hasLostRow: Bool
    let lists: [(slot: Int, list: ModelList)]
  }

  private let entries: [Entry]
  private let pending: PendingChanges

  init(_ context: ModelContext) {
    pending = context.pending
    entries = context.pending.models.map { model in
      let side = model.side
      return Entry(
        model: model, phase: side.phase, values: Self.values(of: model, side),
        committed: side.committed,
        changed: side.changed, changedLists: side.changedLists, isDeleted: side.isDeleted,
        hasLostRow: side.hasLostRow,
        lists: side.links.allLists.map { ($0.slot, $0.list.copy()) })
    }
  }

  /// Returns the current values. If a model was unchanged when it was deleted, the committed values are still current
  /// unless changes have been recorded since: writes to a deleted model's references are recorded as changes.
  private static func values(of model: any PersistentModel, _ side: TrackedState) -> FormerRow {
    if side.isDeletedAsCommitted, side.phase == .deleting, side.changed.isEmpty,
      let committed = side.committed
    {
      return committed
    }
    return FormerRow(model.capturedRow())
  }

  /// Reverts all later changes, then restores the pending changes.
  func restore(_ context: ModelContext) {
    context.deferringNotifications { restoreAll(context) }
  }

  private func restoreAll(_ context: ModelContext) {
    let known = Set(entries.map { ObjectIdentifier($0.model) })
    let touched = context.pending.models
    context.pending = pending
    for model in touched where !known.contains(ObjectIdentifier(model)) { context.revert(model) }
    for entry in entries {
      context.watchers?.recordRevert(of: entry.model)
      entry.restore(context)
      context.watchers?.recordRevert(of: entry.model)
    }
    context.pending.reclaim(pending)
  }
}

extension PendingState.Entry {
  fileprivate func restore(_ context: ModelContext) {
    let side = model.side
    var lists = side.changedLists
    lists.formUnion(changedLists)
    PropertyNotification.replacing(model, with: values.buffer, values.index, lists: lists, in: context) {
      values.restore(model)
      side.phase = phase
      side.committed = committed
      side.changed = changed
      side.changedLists = changedLists
      side.isDeleted = isDeleted
      side.hasLostRow = hasLostRow
      side.links.setLists(self.lists.map { ($0.slot, $0.list.copy()) })
      if model._$state.table == nil,
        let table = try? context.table(for: type(of: model)._$definition)
      {
        table.register(model)
      }
    }
  }
}
