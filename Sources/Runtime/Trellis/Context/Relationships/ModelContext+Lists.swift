extension ModelContext {
  /// A to-many list of a registered model with what is pending on it; nil, with a report, when it
  /// cannot be read.
  func loadList(of owner: any PersistentModel, slot: Int) -> ModelList? {
    let relation = type(of: owner)._$definition.relations.toMany[slot]
    do {
      let list = try readList(of: owner, slot: slot, withNeighbours: true)
      noteRead(of: owner, relation)
      return list
    } catch {
      noteFailedRead(of: owner._$identifier, relation.property.name, error)
      return nil
    }
  }

  /// A to-many list of a registered model with what is pending on it.
  ///
  /// - Parameter withNeighbours: whether to read the lists of models fetched together, too.
  func readList(
    of owner: any PersistentModel, slot: Int, withNeighbours: Bool = false
  ) throws -> ModelList {
    let known = owner._$state.side?.links.list(slot)
    if let known, known.isLoaded { return known }
    try loadPendingRows()
    let definition = type(of: owner)._$definition
    let relation = definition.relations.toMany[slot]
    let codec = relation.destination.codec
    var list = codec.makeList(isLoaded: true)
    let identifier = owner._$identifier
    if !identifier.isTemporary {
      if let members = known.flatMap({ lookUp($0, relation) }) {
        for member in members { list.append(member) }
      } else if withNeighbours, let members = try membersWithNeighbours(of: owner, relation) {
        list = codec.makeList(stored: members)
      } else {
        let members = try savedMembers(of: identifier, definition, slot, relation)
        for member in members { list.append(member) }
      }
      // The store's order is that of the keys. The program continues to see the order that it knows.
      if let order = known?.committed { list.arrange(as: order) }
    }
    applyPending(to: list, of: owner, relation)
    return list
  }

  /// The members of a list of identifiers, if all of them are in memory.
  private func lookUp(_ list: ModelList, _ relation: Relation) -> [any PersistentModel]? {
    var members: [any PersistentModel] = []
    for identifier in list.committed ?? [] {
      guard let member = inMemory(identifier, relation.destination) else { return nil }
      members.append(member)
    }
    return members
  }

  /// Applies what was noted while the list was not loaded, and gives it to its owner.
  ///
  /// What was noted stays noted: the owner may let go of the list or be read again. A list that only
  /// differs by the changes of other models is not kept, since rolling those back would not reach it.
  func applyPending(
    to list: ModelList, of owner: any PersistentModel, _ relation: Relation
  ) {
    let slot = relation.property.slot
    list.committed = list.identifiers
    let left = list.models.filter { hasLeft($0, owner, relation) }
    if !left.isEmpty { list.remove(all: left) }
    var isAsStored = list.count == list.committed?.count
    if let change = pending.lists[.init(owner: owner._$identifier, slot: slot)] {
      isAsStored = false
      list.remove(all: change.removed.models)
      for member in change.added.models { list.append(member) }
    }
    if owner.phase == .inserted || owner.side.changedLists.contains(slot) {
      owner.side.links.setList(slot, list)
    } else if isAsStored {
      owner.side.links.setList(
        slot, resting(list, relation, of: type(of: owner)._$definition))
    }
    if pending.loose != nil, owner.hasChanges { restLists(of: owner) }
  }

  /// Whether a member that is stored has moved to another owner in memory.
  func hasLeft(
    _ member: any PersistentModel, _ owner: any PersistentModel, _ relation: Relation
  ) -> Bool {
    hasLeft(member, owner._$identifier, relation)
  }

  func hasLeft(
    _ member: any PersistentModel, _ owner: PersistentIdentifier, _ relation: Relation
  ) -> Bool {
    guard let inverse = relation.inverse, !inverse.kind.isToMany, member.phase == .changed else {
      return false
    }
    let reference = type(of: member)._$definition.codec.reference(inverse.slot, of: member)
    return reference != owner
  }

  /// A list as a clean model holds it.
  func resting(
    _ list: ModelList, _ relation: Relation, of owner: ModelDefinition
  ) -> ModelList {
    guard list.isLoaded, core.listCycles.mayClose(relation, of: owner) else { return list }
    let identifiers = relation.destination.codec.makeList(isLoaded: false)
    identifiers.committed = list.committed
    return identifiers
  }

  /// Loads one list of many saved models of one hierarchy with one question to the store.
  ///
  /// - Parameter visit: called with the stored members of every list that had to be loaded.
  func loadLists(
    of owners: [any PersistentModel], _ relation: Relation,
    visit: ((any PersistentModel, StoredLists.Members) -> Void)? = nil
  ) throws {
    let slot = relation.property.slot
    var missing: [any PersistentModel] = []
    var identifiers: [PersistentIdentifier] = []
    missing.reserveCapacity(owners.count)
    identifiers.reserveCapacity(owners.count)
    for owner in owners where owner._$state.side?.links.list(slot)?.isLoaded != true {
      let identifier = owner._$identifier
      guard !identifier.isTemporary else { continue }
      missing.append(owner)
      identifiers.append(identifier)
    }
    guard let first = missing.first else { return }
    var lists = try storedLists(of: missing, identifiers, relation, limit: nil)
    let mayClose = core.listCycles.mayClose(relation, of: type(of: first)._$definition)
    for (owner, identifier) in zip(missing, identifiers) {
      guard let members = lists.members(of: identifier) else { continue }
      settle(members, of: owner, relation, mayClose: mayClose)
      visit?(owner, members)
    }
  }

  /// The members as they are stored.
  func savedMembers(
    of owner: PersistentIdentifier, _ definition: ModelDefinition, _ slot: Int,
    _ relation: Relation
  ) throws -> [any PersistentModel] {
    let table = try table(for: relation.destination)
    let ownerTable = try self.table(for: definition)
    let materializer = ModelMaterializer(table: table, isRemembered: true)
    let answered = try core.withScope {
      try ownerTable.store.loadMembers(
        of: [owner], definition, slot: slot, editingState, materializer)
    }
    materializer.remember()
    if answered { return materializer.models.map(table.definition.codec.model(from:)) }
    return try membersByScan(of: owner, definition, relation, table)
  }

  /// Members of a store that knows nothing of relationships: those whose inverse points to the owner.
  private func membersByScan(
    of owner: PersistentIdentifier, _ definition: ModelDefinition, _ relation: Relation,
    _ table: IdentityTable
  ) throws -> [any PersistentModel] {
    if let known = registered(owner, definition)?.storedReferences(relation.property.slot) {
      let all = known.map { inMemory($0, relation.destination) }
      if !all.contains(where: { $0 == nil }) { return all.compactMap { $0 } }
      let members = try load(known, relation.destination)
      let places = Dictionary(
        known.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      return members.sorted { places[$0._$identifier] ?? 0 < places[$1._$identifier] ?? 0 }
    }
    guard let inverse = relation.inverse else { return [] }
    let all = try allModels(relation.destination.modelType, table)
    return all.filter { model in
      let committed = model._$state.side?.committed
      if inverse.kind.isToMany {
        return model.storedReferences(inverse.slot)?.contains(owner) ?? false
      }
      let reference =
        committed?.reference(inverse.slot)
        ?? type(of: model)._$definition.codec.reference(inverse.slot, of: model)
      return reference == owner
    }
  }

  func allModels<M: PersistentModel>(
    _ type: M.Type, _ table: IdentityTable
  ) throws -> [any PersistentModel] {
    let materializer = ModelMaterializer(table: table)
    try core.withScope {
      try table.store.rows(Query(FetchDescriptor<M>(), editingState), into: materializer)
    }
    return materializer.models.map(table.definition.codec.model(from:)).sorted {
      PersistentIdentifier.isStoredBefore($0._$identifier, $1._$identifier)
    }
  }

  /// Remembers a change to a list that is not loaded.
  func noteListChange(
    _ owner: PersistentIdentifier, _ property: ModelProperty, member: any PersistentModel,
    isAddition: Bool
  ) {
    pending.change(
      list: .init(owner: owner, slot: property.slot), member: member, isAddition: isAddition)
  }
}

extension PersistentModel {
  /// The identifiers of a list as they came with the model's snapshot.
  func storedReferences(_ slot: Int) -> [PersistentIdentifier]? {
    let codec = type(of: self)._$definition.codec
    let buffer = codec.makeBuffer(capacity: 1)
    codec.capture(self, into: buffer)
    return buffer.references(0, slot)
  }

  /// Puts the identifiers of loaded lists among the values, for stores that know of no relationships.
  func storeReferences() {
    let definition = type(of: self)._$definition
    let buffer = definition.codec.makeBuffer(capacity: 1)
    definition.codec.capture(self, into: buffer)
    for relation in definition.relations.toMany {
      let slot = relation.property.slot
      guard let list = _$state.side?.links.list(slot), list.isLoaded else { continue }
      buffer.setReferences(0, slot, list.usableIdentifiers)
    }
    buffer.restore(0, self)
  }
}

extension ModelList {
  /// The identifiers of the members that are not deleted.
  var usableIdentifiers: [PersistentIdentifier] {
    models.filter(\.isUsableTarget).map(\.persistentModelID)
  }
}
