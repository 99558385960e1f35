/// Reads a relationship of one model for its neighbours in the same fetch at the same time.
extension ModelContext {
  /// A model that is registered, or whose row was read ahead.
  func inMemory(
    _ identifier: PersistentIdentifier, _ definition: ModelDefinition
  ) -> (any PersistentModel)? {
    if let model = registered(identifier, definition) { return model }
    guard !ahead.isEmpty, !identifier.isTemporary,
      let model = ahead.cache(of: identifier)?.makeModel(identifier),
      let table = try? table(for: definition)
    else { return nil }
    table.register(model)
    // Its lists are those of the store; the save that writes what is noted here would not find them.
    if !pending.lists.isEmpty, let side = model._$state.side {
      for (slot, _) in side.links.allLists
      where pending.lists[.init(owner: identifier, slot: slot)] != nil {
        side.links.setList(slot, nil)
      }
    }
    return model
  }

  /// The fetch a registered model came from.
  private func group(of identifier: PersistentIdentifier, _ table: IdentityTable) -> FetchGroup? {
    table.group(of: identifier) ?? ahead.cache(of: identifier)?.group
  }

  /// Keeps the values of models for those who will ask for them.
  func keep(
    _ models: some Sequence<any PersistentModel>, for relation: Relation, in group: FetchGroup
  ) {
    keep(models, as: relation, in: group)
  }

  /// - Parameter key: names what is kept; it replaces what the group had under it.
  func keep(
    _ models: some Sequence<any PersistentModel>, as key: AnyObject, in group: FetchGroup
  ) {
    let cache = RowCache(models)
    group.ahead[ObjectIdentifier(key)] = cache
    ahead.add(cache)
  }

  /// The fetch all of some models came from, made one of now if need be.
  func group(of models: [any PersistentModel]) -> FetchGroup? {
    guard let first = models.first, let table = first._$state.owner else { return nil }
    return table._withUnsafeGuaranteedRef { table in
      if let group = group(of: first._$identifier, table),
        models.count == 1 || group.contains(models[models.count - 1]._$identifier)
      {
        return group
      }
      let group = FetchGroup(.list(models.map(\.persistentModelID)))
      table.remember(group)
      return group
    }
  }

  // MARK: to one

  /// The model a to-one relationship of a registered model leads to; nil when there is no such row.
  func target(
    of owner: any PersistentModel, _ relation: Relation, _ identifier: PersistentIdentifier
  ) -> (any PersistentModel)? {
    if let model = inMemory(identifier, relation.destination) { return model }
    guard !identifier.isTemporary, let table = owner._$state.owner,
      let group = table._withUnsafeGuaranteedRef({ group(of: owner._$identifier, $0) }),
      let portion = group.portion(of: relation)
    else { return resolve(identifier, relation.destination) }
    let others = table._withUnsafeGuaranteedRef {
      references(near: owner, relation, group, $0, limit: portion.models)
    }
    guard !others.isEmpty,
      let models = try? load([identifier] + others.filter { $0 != identifier }, relation.destination)
    else { return resolve(identifier, relation.destination) }
    group.note(relation, isWorthIt: true)
    keep(models, for: relation, in: group)
    return models.first { $0._$identifier == identifier }
  }

  /// Where the relationship leads from the neighbours of a model, if not to something in memory.
  private func references(
    near owner: any PersistentModel, _ relation: Relation, _ group: FetchGroup,
    _ table: IdentityTable, limit: Int
  ) -> Set<PersistentIdentifier> {
    var found = Set<PersistentIdentifier>()
    let targets = tables[ObjectIdentifier(relation.destination.root)]
    group.visitNeighbours(of: owner._$identifier, reach: 4 * limit) { neighbour in
      var reference: PersistentIdentifier?
      if let model = table.model(neighbour) {
        let definition = type(of: model)._$definition
        if let own = definition.relations.toOne(like: relation) {
          reference = definition.codec.reference(own.property.slot, of: model)
        }
      } else {
        reference = ahead.cache(of: neighbour)?.reference(neighbour, relation)
      }
      if let reference, !reference.isTemporary, targets?.object(reference) == nil {
        found.insert(reference)
      }
      return found.count < limit
    }
    return found
  }

  // MARK: to many

  /// The saved members of a list that nobody has read, read with the lists of the owner's neighbours;
  /// nil when that is not possible or not worth it.
  func membersWithNeighbours(
    of owner: any PersistentModel, _ relation: Relation
  ) throws -> [any PersistentModel]? {
    guard let table = owner._$state.owner,
      let group = table._withUnsafeGuaranteedRef({ group(of: owner._$identifier, $0) }),
      let portion = group.portion(of: relation)
    else { return nil }
    let others = table._withUnsafeGuaranteedRef {
      neighbours(of: owner, relation, group, $0, limit: portion.models)
    }
    guard !others.isEmpty else { return nil }
    guard let lists = try? savedMembers(of: [owner] + others, relation, limit: portion.rows) else {
      // One of the neighbours cannot be read.
      group.note(relation, isWorthIt: false)
      return nil
    }
    group.note(relation, isWorthIt: lists.count > 1)
    var unheld: [any PersistentModel] = []
    for neighbour in others {
      guard let members = lists[neighbour._$identifier] else { continue }
      let list = relation.destination.codec.makeList(isLoaded: true)
      for member in members { list.append(member) }
      applyPending(to: list, of: neighbour, relation)
      let isCached = noteList(of: neighbour._$identifier, relation, members)
      if isCached || container.listCycles.mayClose(relation, of: type(of: neighbour)._$definition) {
        unheld += members
      }
    }
    if let own = lists[owner._$identifier], noteList(of: owner._$identifier, relation, own) {
      unheld += own
    }
    // Lists of identifiers hold nobody.
    if !unheld.isEmpty { keep(unheld, for: relation, in: group) }
    return lists[owner._$identifier]
  }

  /// Enters a list where the owner's own row was read ahead; false where it was not.
  private func noteList(
    of owner: PersistentIdentifier, _ relation: Relation, _ members: [any PersistentModel]
  ) -> Bool {
    guard let cache = ahead.cache(of: owner) else { return false }
    cache.setList(relation.property.slot, of: owner, members.map(\.persistentModelID))
    return true
  }

  /// The unchanged neighbours of a model whose list nobody has read either.
  private func neighbours(
    of owner: any PersistentModel, _ relation: Relation, _ group: FetchGroup,
    _ table: IdentityTable, limit: Int
  ) -> [any PersistentModel] {
    var found: [any PersistentModel] = []
    group.visitNeighbours(of: owner._$identifier, reach: 4 * limit) { identifier in
      guard let model = inMemory(identifier, table.definition), model.phase == .clean,
        type(of: model)._$definition.relations.toMany(like: relation) != nil,
        model._$state.side?.links.list(relation.property.slot) == nil,
        pending.lists[.init(owner: identifier, slot: relation.property.slot)] == nil
      else { return true }
      found.append(model)
      return found.count < limit
    }
    return found
  }

  /// The members of the lists of several owners as they are stored.
  ///
  /// - Parameter limit: after so many members no further list is read; owners whose lists were not
  ///   read to the end are left out.
  func savedMembers(
    of owners: [any PersistentModel], _ relation: Relation, limit: Int?
  ) throws -> [PersistentIdentifier: [any PersistentModel]]? {
    guard let first = owners.first else { return [:] }
    let definition = type(of: first)._$definition
    let members = try table(for: relation.destination)
    let receiver = ModelReceiver(table: members, isRemembered: true)
    receiver.limit = limit
    let store = try table(for: definition).store
    var isComplete = true
    do {
      let answered = try container.withScope {
        try store.loadMembers(
          of: owners.map(\.persistentModelID), definition, slot: relation.property.slot,
          editingState, receiver)
      }
      guard answered else { return try scannedMembers(of: owners, relation) }
    } catch is ModelReceiver.LimitReached {
      isComplete = false
    }
    receiver.remember()
    var byRow: [Int64: [any PersistentModel]] = [:]
    for (row, object) in zip(receiver.owners, receiver.models) {
      byRow[row, default: []].append(members.definition.codec.model(from: object))
    }
    if !isComplete, let last = receiver.owners.last { byRow[last] = nil }
    var lists: [PersistentIdentifier: [any PersistentModel]] = [:]
    for owner in owners {
      guard let row = owner.storedRow else { continue }
      lists[owner._$identifier] = byRow[row] ?? (isComplete ? [] : nil)
    }
    return lists
  }

  /// The same in a store that knows nothing of relationships, where the owners' own values tell.
  private func scannedMembers(
    of owners: [any PersistentModel], _ relation: Relation
  ) throws -> [PersistentIdentifier: [any PersistentModel]]? {
    var known: [(owner: PersistentIdentifier, members: [PersistentIdentifier])] = []
    for owner in owners {
      guard let members = owner.storedReferences(relation.property.slot) else { continue }
      known.append((owner._$identifier, members))
    }
    var models: [PersistentIdentifier: any PersistentModel] = [:]
    var missing: [PersistentIdentifier] = []
    for identifier in Set(known.lazy.flatMap(\.members)) {
      if let model = inMemory(identifier, relation.destination) {
        models[identifier] = model
      } else {
        missing.append(identifier)
      }
    }
    if !missing.isEmpty {
      for model in try load(missing, relation.destination) { models[model._$identifier] = model }
    }
    return Dictionary(
      known.map { owner, members in (owner, members.compactMap { models[$0] }) },
      uniquingKeysWith: { first, _ in first })
  }
}
