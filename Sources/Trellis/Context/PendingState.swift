/// The pending changes of a context at one moment, to return to.
struct PendingState {
  private struct Entry {
    let model: any PersistentModel
    let phase: ModelSide.Phase
    let values: SnapshotBatch
    let committed: SnapshotBatch?
    let changed: PropertySet
    let changedLists: PropertySet
    let isDeleted: Bool
    let lists: [(slot: Int, members: [any PersistentModel])]
  }

  private let entries: [Entry]
  private let pending: PendingChanges

  init(_ context: ModelContext) {
    pending = context.pending
    entries = context.pending.everything.map { model in
      let codec = type(of: model)._$definition.codec
      let values = codec.makeBatch(capacity: 1)
      codec.capture(model, into: values)
      let side = model.side
      return Entry(
        model: model, phase: side.phase, values: values, committed: side.committed,
        changed: side.changed, changedLists: side.changedLists, isDeleted: side.isDeleted,
        lists: side.links.allLists.map { ($0.slot, $0.list.models) })
    }
  }

  /// Undoes everything since, then puts the pending changes of that moment back.
  func restore(_ context: ModelContext) {
    let known = Set(entries.map { ObjectIdentifier($0.model) })
    for model in context.pending.everything where !known.contains(ObjectIdentifier(model)) {
      context.revert(model)
    }
    context.pending = pending
    for entry in entries {
      let side = entry.model.side
      entry.values.restore(0, entry.model)
      side.phase = entry.phase
      side.committed = entry.committed
      side.changed = entry.changed
      side.changedLists = entry.changedLists
      side.isDeleted = entry.isDeleted
      for (slot, list) in side.links.allLists where !entry.lists.contains(where: { $0.slot == slot }) {
        if list.committed != nil { side.links.setList(slot, nil) } else { list.removeAll() }
      }
      for (slot, members) in entry.lists {
        guard let list = side.links.list(slot) else { continue }
        list.removeAll()
        for member in members { list.append(member) }
      }
      if entry.model._$state.owner == nil, let table = try? context.table(
        for: type(of: entry.model)._$definition)
      {
        table.register(entry.model)
      }
    }
  }
}
