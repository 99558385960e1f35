/// Makes the snapshots of a save: one batch of values for each entity.
struct SnapshotBuilder {
  let context: ModelContext
  let store: StoreHandle
  /// The models of the insertions, in the order of their snapshots.
  private(set) var insertedModels: [any PersistentModel] = []

  init(context: ModelContext, store: StoreHandle) {
    self.context = context
    self.store = store
  }

  /// The models of a save by their class, classes and models in order of appearance.
  private struct Group {
    let definition: ModelDefinition
    var models: [any PersistentModel]
  }

  private static func grouped(_ models: [any PersistentModel]) -> [Group] {
    var groups: [Group] = []
    var positions: [ObjectIdentifier: Int] = [:]
    var last: (definition: ObjectIdentifier, position: Int)?
    for model in models {
      let definition = type(of: model)._$definition
      let key = ObjectIdentifier(definition)
      if let last, last.definition == key {
        groups[last.position].models.append(model)
        continue
      }
      let position = positions[key] ?? groups.count
      if position == groups.count {
        positions[key] = position
        groups.append(Group(definition: definition, models: []))
      }
      groups[position].models.append(model)
      last = (key, position)
    }
    return groups
  }

  mutating func insertions(_ models: [any PersistentModel]) throws -> [DefaultSnapshot] {
    var snapshots: [DefaultSnapshot] = []
    snapshots.reserveCapacity(models.count)
    insertedModels.reserveCapacity(models.count)
    for group in Self.grouped(models) {
      let codec = group.definition.codec
      let batch = codec.makeBatch(capacity: group.models.count)
      let lists = group.definition.relations.toMany
      for (index, model) in group.models.enumerated() {
        codec.capture(model, into: batch)
        for relation in lists where isWritten(relation) {
          let slot = relation.property.slot
          batch.setReferences(
            index, slot, model._$state.side?.links.list(slot)?.usableIdentifiers ?? [])
        }
        snapshots.append(DefaultSnapshot(batch: batch, index: index))
      }
      insertedModels += group.models
    }
    return snapshots
  }

  /// The changed models whose rows differ, and their snapshots.
  func updates(
    _ models: [any PersistentModel]
  ) throws -> ([DefaultSnapshot], [any PersistentModel]) {
    var snapshots: [DefaultSnapshot] = []
    var written: [any PersistentModel] = []
    for group in Self.grouped(models) {
      let codec = group.definition.codec
      let batch = codec.makeBatch(capacity: group.models.count)
      for model in group.models {
        let side = model.side
        let lists = group.definition.relations.toMany.filter {
          side.changedLists.contains($0.property.slot) && isWritten($0)
        }
        written.append(model)
        if store.isRelational, side.changed.isEmpty, lists.isEmpty { continue }
        let index = batch.count
        codec.capture(model, into: batch)
        for relation in store.isRelational ? lists : group.definition.relations.toMany {
          guard let list = model.loadedList(relation.property.slot) else { continue }
          batch.setReferences(index, relation.property.slot, list.usableIdentifiers)
        }
        snapshots.append(DefaultSnapshot(
            batch: batch, index: index, changed: side.changed, changedLists: side.changedLists))
      }
    }
    return (snapshots, written)
  }

  /// The deleted models as they were at the last save.
  func deletions(_ models: [any PersistentModel]) -> [DefaultSnapshot] {
    models.compactMap { model in
      guard let committed = model._$state.side?.committed else { return nil }
      return DefaultSnapshot(batch: committed, index: 0)
    }
  }

  /// Whether a list is part of what the store keeps: tables derive lists with a to-one inverse.
  private func isWritten(_ relation: Relation) -> Bool {
    guard store.isRelational, let inverse = relation.inverse else { return true }
    return inverse.kind.isToMany
  }
}

extension ModelList {
  /// The identifiers of the members that are not deleted.
  var usableIdentifiers: [PersistentIdentifier] {
    models.filter(\.isUsableTarget).map(\.persistentModelID)
  }
}
