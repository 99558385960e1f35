/// Reads a relationship for a model together with its neighbors from the same fetch.
extension ModelContext {
  /// Returns a model that is registered or whose row was read ahead.
  func inMemory(
    _ identifier: PersistentIdentifier, _ definition: ModelDefinition
  ) -> (any PersistentModel)? {
    registered(identifier, definition) ?? readAhead(identifier, definition)
  }

  /// Registers and returns a model whose row was read ahead.
  private func readAhead(
    _ identifier: PersistentIdentifier, _ definition: ModelDefinition
  ) -> (any PersistentModel)? {
    guard !state.ahead.isEmpty, !identifier.isTemporary,
      let model = state.ahead.cache(of: identifier)?.makeModel(identifier),
      let table = try? table(for: definition)
    else { return nil }
    table.register(model)
    // Cached lists lack the pending changes recorded here, and the save that writes those changes would not update the
    // lists.
    if !pending.lists.isEmpty, let side = model._$state.side {
      for (slot, _) in side.links.allLists
      where pending.lists[.init(owner: identifier, slot: slot)] != nil {
        side.links.setList(slot, nil)
      }
    }
    return model
  }

  /// Returns the group of rows that were fetched together with a model.
  private func group(of identifier: PersistentIdentifier, _ table: IdentityTable) -> FaultBatch? {
    table.group(of: identifier) ?? state.ahead.cache(of: identifier)?.group
  }

  /// Caches the values of models for later reads.
  ///
  /// - Parameter key: Identifies the cached models, for example a relationship. Replaces the group's previous entry.
  func keep(
    _ models: some Sequence<any PersistentModel>, as key: AnyObject, in group: FaultBatch
  ) {
    let cache = RowCache(models)
    group.ahead[ObjectIdentifier(key)] = cache
    state.ahead.add(cache)
  }

  /// Returns the group that contains all given models, or creates a new group for them.
  func group(of models: [any PersistentModel]) -> FaultBatch? {
    guard let first = models.first, let table = first._$state.table?.takeUnretainedValue() else { return nil }
    if let group = group(of: first._$identifier, table),
      models.count == 1 || group.contains(models[models.count - 1]._$identifier)
    {
      return group
    }
    let group = FaultBatch(.list(models.map(\.persistentModelID)))
    table.remember(group)
    return group
  }

  // MARK: to-one relationships

  /// Returns the target of a registered model's to-one relationship, or `nil` if the row is missing.
  func target(
    of owner: any PersistentModel, _ relation: Relation, _ identifier: PersistentIdentifier
  ) -> (any PersistentModel)? {
    if let model = inMemory(identifier, relation.destination) {
      recordRead(of: owner, [relation.property.name])
      return model
    }
    guard !identifier.isTemporary, let table = owner._$state.table?.takeUnretainedValue(),
      let group = group(of: owner._$identifier, table), let portion = group.portion(of: relation)
    else { return resolve(identifier, relation.destination, from: (owner, relation)) }
    let others = references(near: owner, relation, group, table, limit: portion.models)
    guard !others.isEmpty,
      let models = try? load([identifier] + others.filter { $0 != identifier }, relation.destination)
    else { return resolve(identifier, relation.destination, from: (owner, relation)) }
    group.record(relation, isWorthIt: true)
    keep(models, as: relation, in: group)
    recordRead(of: owner, [relation.property.name])
    return models.first { $0._$identifier == identifier }
  }

  /// Returns the distinct targets of a to-one relationship for several models. Missing targets are read with a single
  /// query.
  func loadTargets(
    of owners: [any PersistentModel], _ relation: Relation
  ) throws -> [any PersistentModel] {
    let references = owners.compactMap { owner in
      let definition = type(of: owner)._$definition
      return definition.relations.relation(like: relation).flatMap { definition.codec.reference($0.slot, of: owner) }
    }
    return Array(try models(of: Set(references), relation.destination).values)
  }

  /// Returns the neighbors' targets that are not in memory.
  private func references(
    near owner: any PersistentModel, _ relation: Relation, _ group: FaultBatch,
    _ table: IdentityTable, limit: Int
  ) -> Set<PersistentIdentifier> {
    var found = Set<PersistentIdentifier>()
    let targets = tables[ObjectIdentifier(relation.destination.root)]
    group.visitNeighbours(of: owner._$identifier, reach: 4 * limit) { neighbour in
      var reference: PersistentIdentifier?
      if let model = table.model(neighbour) {
        let definition = type(of: model)._$definition
        if let own = definition.relations.relation(like: relation) {
          reference = definition.codec.reference(own.property.slot, of: model)
        }
      } else {
        reference = state.ahead.cache(of: neighbour)?.reference(neighbour, relation)
      }
      if let reference, !reference.isTemporary, targets?.object(reference) == nil {
        found.insert(reference)
      }
      return found.count < limit
    }
    return found
  }

  // MARK: to-many relationships

  /// Returns an unloaded list's saved members, read together with the neighbors' lists, or `nil` if this is impossible
  /// or saves no time.
  func membersWithNeighbours(
    of owner: any PersistentModel, _ relation: Relation
  ) throws -> ArraySlice<AnyObject>? {
    guard let table = owner._$state.table?.takeUnretainedValue(),
      let group = group(of: owner._$identifier, table), let portion = group.portion(of: relation)
    else { return nil }
    let others = neighbours(of: owner, relation, group, table, limit: portion.models)
    guard !others.isEmpty else { return nil }
    let owners = [owner] + others
    guard let lists = try? storedLists(of: owners, relation, limit: portion.rows) else {
      // A neighbor may be unreadable.
      group.record(relation, isWorthIt: false)
      return nil
    }
    group.record(relation, isWorthIt: lists.count { $0?.isEmpty == false } > 1)
    let mayClose = core.listCycles.mayClose(relation, of: type(of: owner)._$definition)
    var unheld: [any PersistentModel] = []
    let codec = relation.destination.codec
    for (position, neighbour) in owners.enumerated() {
      guard let members = lists[position] else { continue }
      // The caller retains the first list.
      if position > 0 { resolve(members, of: neighbour, relation, mayClose: mayClose) }
      let isCached = recordList(of: neighbour._$identifier, relation, members, codec)
      if isCached || (mayClose && position > 0) { unheld += members.map(codec.model(from:)) }
    }
    // Lists of identifiers retain no models.
    if !unheld.isEmpty { keep(unheld, as: relation, in: group) }
    return lists[0]
  }

  /// Adds a list to the owner's cached row. Returns false if the row was not read ahead.
  private func recordList(
    of owner: PersistentIdentifier, _ relation: Relation, _ members: ArraySlice<AnyObject>,
    _ codec: any ModelCodec
  ) -> Bool {
    guard !state.ahead.isEmpty, let cache = state.ahead.cache(of: owner) else { return false }
    cache.setList(
      relation.property.slot, of: owner, members.map { codec.model(from: $0)._$identifier })
    return true
  }

  /// Returns a model's unchanged neighbors whose lists are also not loaded.
  private func neighbours(
    of owner: any PersistentModel, _ relation: Relation, _ group: FaultBatch,
    _ table: IdentityTable, limit: Int
  ) -> [any PersistentModel] {
    var found: [any PersistentModel] = []
    let slot = relation.property.slot
    let definition = type(of: owner)._$definition
    group.visitNeighbours(of: owner._$identifier, reach: 4 * limit) { identifier in
      guard let model = table.model(identifier) ?? readAhead(identifier, table.definition) else {
        return true
      }
      if let side = model._$state.side {
        guard side.phase == .clean, side.links.list(slot) == nil else { return true }
      }
      let own = type(of: model)._$definition
      guard own === definition || own.relations.relation(like: relation) != nil,
        pending.lists.isEmpty || pending.lists[.init(owner: identifier, slot: slot)] == nil
      else { return true }
      found.append(model)
      return found.count < limit
    }
    return found
  }
}
