/// Creates a save's snapshots. Values of inserted and changed models are copied into a buffer per class. Snapshots of
/// deleted models refer to their former values.
struct SnapshotBuilder {
  let context: ModelContext
  let store: StoreHandle
  /// The inserted models, in snapshot order.
  private(set) var insertedModels: [any PersistentModel] = []
  /// The values last read for the updated models; empty under `ConflictPolicy.overwrite`.
  private(set) var committed: [FormerRow?] = []
  /// The save's changes by class.
  private(set) var changes = ClassChanges()

  init(context: ModelContext, store: StoreHandle) {
    self.context = context
    self.store = store
  }

  /// - Parameter common: The models' common class, if known.
  mutating func insertions(
    _ models: [any PersistentModel], of common: ModelDefinition?
  ) throws -> [DefaultSnapshot] {
    guard !models.isEmpty else { return [] }
    var snapshots: [DefaultSnapshot] = []
    snapshots.reserveCapacity(models.count)
    let hasDeletions = context.pending.hasDeletions
    for group in models.grouped(of: common) {
      let codec = group.definition.codec
      let buffer = codec.makeBuffer(capacity: group.models.count)
      let lists = group.definition.relations.toMany.filter(isWritten)
      for (index, model) in group.models.enumerated() {
        codec.capture(model, into: buffer)
        if hasDeletions { dropDeletedReferences(buffer, index, group.definition) }
        for relation in lists {
          let slot = relation.property.slot
          buffer.setReferences(
            index, slot, model._$state.side?.links.list(slot)?.usableIdentifiers ?? [])
        }
        snapshots.append(DefaultSnapshot(buffer: buffer, index: index))
      }
      changes.addComingOrGoing(group.definition)
      if insertedModels.isEmpty { insertedModels = group.models } else { insertedModels += group.models }
    }
    return snapshots
  }

  /// Returns snapshots of changed models whose rows differ.
  ///
  /// - Parameter common: See ``insertions(_:of:)``.
  mutating func updates(
    _ models: [any PersistentModel], of common: ModelDefinition?
  ) throws -> [DefaultSnapshot] {
    guard !models.isEmpty else { return [] }
    var snapshots: [DefaultSnapshot] = []
    snapshots.reserveCapacity(models.count)
    let isCompared = context.failsOnConflict(in: store)
    for group in models.grouped(of: common) {
      let codec = group.definition.codec
      let buffer = codec.makeBuffer(capacity: group.models.count)
      let writtenLists = group.definition.relations.toMany.filter(isWritten)
      var change = ClassChange(group.definition)
      // Most models in a save have the same changed properties and share the recorded set.
      var last: (snapshot: DefaultSnapshot, changed: PropertySet)?
      let difference = store.recordsHistory && context.recordsHistory ? RowDifference(group.definition) : nil
      for model in group.models {
        let side = model.side
        change.columns.formUnion(side.changed)
        change.lists.formUnion(side.changedLists)
        let lists =
          side.changedLists.isEmpty
          ? [] : writtenLists.filter { side.changedLists.contains($0.property.slot) }
        if store.isRelational, side.changed.isEmpty, lists.isEmpty { continue }
        let index = buffer.count
        codec.capture(model, into: buffer)
        if isCompared { committed.append(try side.committed?.asChanged()) }
        dropDeletedReferences(buffer, index, group.definition)
        var former: [Int: [PersistentIdentifier]] = [:]
        for relation in store.isRelational ? lists : group.definition.relations.toMany {
          let list = try context.readList(of: model, slot: relation.property.slot)
          buffer.setReferences(index, relation.property.slot, list.usableIdentifiers)
          former[relation.property.slot] = list.committed
        }
        let differing = try difference.flatMap { difference in
          try side.committed.map {
            try difference.differing(index, of: buffer, from: $0.buffer, $0.index, among: side.changed)
          }
        }
        if former.isEmpty, side.changedLists.isEmpty, let last, last.changed == side.changed,
          last.snapshot.differing == differing
        {
          snapshots.append(DefaultSnapshot(index, like: last.snapshot))
          continue
        }
        let snapshot = DefaultSnapshot(
          buffer: buffer, index: index, changed: side.changed, differing: differing,
          changedLists: side.changedLists,
          formerMembers: former)
        if former.isEmpty, side.changedLists.isEmpty { last = (snapshot, side.changed) }
        snapshots.append(snapshot)
      }
      changes.add(change)
    }
    return snapshots
  }

  /// Removes a snapshot's references to models that this save deletes.
  private func dropDeletedReferences(
    _ buffer: SnapshotBuffer, _ index: Int, _ definition: ModelDefinition
  ) {
    guard context.pending.hasDeletions else { return }
    for relation in definition.relations.references {
      let slot = relation.property.slot
      guard let reference = buffer.reference(index, slot),
        context.savedReference(reference, relation.destination) == nil
      else { continue }
      buffer.setReference(index, slot, nil)
    }
  }

  /// Returns snapshots of deleted models as last saved, except for rows that a different context or process has
  /// already deleted.
  mutating func deletions(_ models: [any PersistentModel]) -> [DefaultSnapshot] {
    var last: ModelDefinition?
    context.state.former.close()
    return models.compactMap { model in
      guard let side = model._$state.side, !side.hasLostRow, let committed = side.committed else { return nil }
      let definition = type(of: model)._$definition
      if definition !== last { changes.addComingOrGoing(definition) }
      last = definition
      return DefaultSnapshot(buffer: committed.buffer, index: committed.index)
    }
  }

  /// Returns true if the store keeps the list's members.
  private func isWritten(_ relation: Relation) -> Bool { !store.isRelational || relation.storesMembers }
}
