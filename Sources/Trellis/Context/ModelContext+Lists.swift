extension ModelContext {
  /// Loads a to-many list of a registered model and applies what is pending on it.
  func loadList(of owner: any PersistentModel, slot: Int) -> ModelList? {
    let definition = type(of: owner)._$definition
    let relation = definition.relations.toMany[slot]
    let list = relation.destination.codec.makeList(isLoaded: true)
    let identifier = owner._$identifier
    if !identifier.isTemporary {
      do {
        for member in try savedMembers(of: identifier, definition, slot, relation) {
          list.append(member)
        }
      } catch {
        ModelIssue.unreadableRelationship(
          identifier, property: relation.property.name, reason: "\(error)"
        ).report()
        return nil
      }
    }
    list.committed = list.identifiers
    applyPending(to: list, of: identifier, slot)
    owner.side.links.setList(slot, list)
    return list
  }

  /// Loads one list of many saved models with one question to the store.
  func loadLists(of owners: [any PersistentModel], _ relation: Relation) throws {
    let slot = relation.property.slot
    let missing = owners.filter { owner in
      !owner._$identifier.isTemporary && owner._$state.side?.links.list(slot)?.isLoaded != true
    }
    guard missing.count > 1, let first = missing.first else { return }
    let definition = type(of: first)._$definition
    let receiver = ModelReceiver(table: try table(for: relation.destination))
    let store = try table(for: definition).store
    let answered = try container.withScope {
      try store.loadMembers(
        of: missing.map(\.persistentModelID), definition, slot: slot, editingState, receiver)
    }
    guard answered else { return }
    var members: [Int64: ModelList] = [:]
    for owner in missing {
      guard let row = owner._$identifier.row else { continue }
      let list = relation.destination.codec.makeList(isLoaded: true)
      members[row] = list
      owner.side.links.setList(slot, list)
    }
    for (index, object) in receiver.models.enumerated() {
      members[receiver.owners[index]]?.append(receiver.table.definition.codec.model(from: object))
    }
    for owner in missing {
      guard let list = owner._$state.side?.links.list(slot) else { continue }
      list.committed = list.identifiers
      applyPending(to: list, of: owner._$identifier, slot)
    }
  }

  /// Applies additions and removals noted while the list was not loaded.
  private func applyPending(to list: ModelList, of owner: PersistentIdentifier, _ slot: Int) {
    guard let change = pending.lists.removeValue(forKey: .init(owner: owner, slot: slot)) else {
      return
    }
    for member in list.models where change.removed.contains(ObjectIdentifier(member)) {
      list.remove(member)
    }
    for member in change.added { list.append(member) }
  }

  private func savedMembers(
    of owner: PersistentIdentifier, _ definition: ModelDefinition, _ slot: Int,
    _ relation: Relation
  ) throws -> [any PersistentModel] {
    let table = try table(for: relation.destination)
    let ownerTable = try self.table(for: definition)
    let receiver = ModelReceiver(table: table)
    let answered = try container.withScope {
      try ownerTable.store.loadMembers(
        of: [owner], definition, slot: slot, editingState, receiver)
    }
    if answered { return receiver.models.map(table.definition.codec.model(from:)) }
    return try membersByScan(of: owner, definition, relation, table)
  }

  /// Members of a store that knows nothing of relationships: those whose inverse points to the owner.
  private func membersByScan(
    of owner: PersistentIdentifier, _ definition: ModelDefinition, _ relation: Relation,
    _ table: IdentityTable
  ) throws -> [any PersistentModel] {
    if let known = registered(owner, definition)?.storedReferences(relation.property.slot) {
      return try load(known, relation.destination)
    }
    guard let inverse = relation.inverse, !inverse.kind.isToMany else { return [] }
    let all = try allModels(relation.destination.modelType, table)
    return all.filter { model in
      let committed = model._$state.side?.committed
      let reference =
        committed?.reference(0, inverse.slot)
        ?? type(of: model)._$definition.codec.reference(inverse.slot, of: model)
      return reference == owner
    }
  }

  private func allModels<M: PersistentModel>(
    _ type: M.Type, _ table: IdentityTable
  ) throws -> [any PersistentModel] {
    let receiver = ModelReceiver(table: table)
    try container.withScope {
      try table.store.fetch(
        DataStoreFetchRequest(descriptor: FetchDescriptor<M>(), editingState: editingState),
        into: receiver)
    }
    return receiver.models.map(table.definition.codec.model(from:)).sorted {
      PersistentIdentifier.isStoredBefore($0._$identifier, $1._$identifier)
    }
  }

  /// Remembers a change to a list that is not loaded.
  func noteListChange(
    _ owner: PersistentIdentifier, _ property: ModelProperty, member: any PersistentModel,
    isAddition: Bool
  ) {
    let key = PendingChanges.ListKey(owner: owner, slot: property.slot)
    var change = pending.lists[key] ?? PendingChanges.ListChange()
    if isAddition {
      change.removed.remove(ObjectIdentifier(member))
      change.added.append(member)
    } else {
      change.added.removeAll { $0 === member }
      change.removed.insert(ObjectIdentifier(member))
    }
    pending.lists[key] = change
  }
}

extension PersistentModel {
  /// The identifiers of a list as they came with the model's snapshot.
  func storedReferences(_ slot: Int) -> [PersistentIdentifier]? {
    let codec = type(of: self)._$definition.codec
    let batch = codec.makeBatch(capacity: 1)
    codec.capture(self, into: batch)
    return batch.references(0, slot)
  }
}
