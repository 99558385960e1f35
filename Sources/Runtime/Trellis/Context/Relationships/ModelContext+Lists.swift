extension ModelContext {
  /// Returns a registered model's to-many list including pending changes. Returns `nil` and reports an issue if the
  /// list cannot be read.
  func loadList(of owner: any PersistentModel, slot: Int) -> ModelList? {
    let relation = type(of: owner)._$definition.relations.toMany[slot]
    do {
      let list = try readList(of: owner, slot: slot, withNeighbours: true)
      recordRead(of: owner, [relation.property.name])
      return list
    } catch {
      recordFailedRead(of: owner._$identifier, relation.property.name, error)
      return nil
    }
  }

  /// Returns a registered model's to-many list including pending changes.
  ///
  /// - Parameter withNeighbours: True to also read the lists of models fetched together.
  func readList(
    of owner: any PersistentModel, slot: Int, withNeighbours: Bool = false
  ) throws -> ModelList {
    let known = owner._$state.side?.links.list(slot)
    if let known, known.isLoaded { return known }
    try loadPendingRows()
    let relation = type(of: owner)._$definition.relations.toMany[slot]
    var members: ArraySlice<AnyObject> = []
    if !owner._$identifier.isTemporary {
      members =
        try known.flatMap { membersInMemory($0, relation) }
        ?? (withNeighbours ? membersWithNeighbours(of: owner, relation) : nil) ?? savedMembers(of: owner, relation)
    }
    let list = relation.destination.codec.makeList(stored: members)
    // The store sorts by key; this restores the order that the app has already seen.
    if let order = known?.committed { list.arrange(as: order) }
    applyPending(to: list, of: owner, relation)
    return list
  }

  /// Returns the members of an identifier list if all of them are in memory.
  private func membersInMemory(_ list: ModelList, _ relation: Relation) -> ArraySlice<AnyObject>? {
    var members: [AnyObject] = []
    for identifier in list.committed ?? [] {
      guard let member = inMemory(identifier, relation.destination) else { return nil }
      members.append(member)
    }
    return members[...]
  }

  /// Returns the members of an identifier list. Returns `nil` and reports an issue if they cannot be read.
  func readMembers(
    _ identifiers: [PersistentIdentifier], of owner: PersistentIdentifier, _ relation: Relation
  ) -> [AnyObject]? {
    do {
      let models = try models(of: identifiers, relation.destination)
      return identifiers.compactMap { models[$0] }
    } catch {
      recordFailedRead(of: owner, relation.property.name, error)
      return nil
    }
  }

  /// Applies changes recorded before the list was loaded, and assigns the list to the owner.
  ///
  /// The recorded changes are retained, because the owner may release or reload the list. A list that differs only
  /// through changes of other models is not retained, because rolling them back would not update it.
  func applyPending(
    to list: ModelList, of owner: any PersistentModel, _ relation: Relation
  ) {
    let slot = relation.property.slot
    list.committed = list.identifiers
    let left = list.models.filter { hasLeft($0, owner._$identifier, relation) }
    if !left.isEmpty { list.remove(all: left) }
    var isAsStored = list.count == list.committed?.count
    if let change = pending.lists[.init(owner: owner._$identifier, slot: slot)] {
      isAsStored = false
      list.remove(all: list.models.filter { change.removed.contains($0._$identifier) })
      for member in change.added.models { list.append(member) }
    }
    if owner.phase == .inserted || owner.side.changedLists.contains(slot) {
      owner.side.links.setList(slot, list)
    } else if isAsStored {
      owner.side.links.setList(
        slot, retainedForm(list, relation, of: type(of: owner)._$definition))
    }
  }

  /// Returns true if a stored member has been moved to a different owner in memory.
  func hasLeft(
    _ member: any PersistentModel, _ owner: PersistentIdentifier, _ relation: Relation
  ) -> Bool {
    guard let inverse = relation.inverse, !inverse.kind.isToMany, member.phase == .changed else {
      return false
    }
    let reference = type(of: member)._$definition.codec.reference(inverse.slot, of: member)
    return reference != owner
  }

  /// Returns the list that a model with no unsaved changes retains: without members if they may lead back to the owner.
  func retainedForm(
    _ list: ModelList, _ relation: Relation, of owner: ModelDefinition
  ) -> ModelList {
    guard list.isLoaded, core.listCycles.mayClose(relation, of: owner) else { return list }
    let identifiers = relation.destination.codec.makeList(isLoaded: false)
    identifiers.committed = list.committed
    return identifiers
  }

  /// Loads a list for many saved models of the same hierarchy with a single store query.
  ///
  /// - Returns: The stored members of each list that had to be loaded.
  @discardableResult func loadLists(
    of owners: [any PersistentModel], _ relation: Relation
  ) throws -> [ArraySlice<AnyObject>] {
    let slot = relation.property.slot
    let missing = owners.filter { !$0._$identifier.isTemporary && $0._$state.side?.links.list(slot)?.isLoaded != true }
    guard let first = missing.first else { return [] }
    let mayClose = core.listCycles.mayClose(relation, of: type(of: first)._$definition)
    let lists = try storedLists(of: missing, relation)
    for case (let owner, let members?) in zip(missing, lists) {
      resolve(members, of: owner, relation, mayClose: mayClose)
    }
    return lists.compactMap(\.self)
  }

  /// Returns the stored members.
  func savedMembers(of owner: any PersistentModel, _ relation: Relation) throws -> ArraySlice<AnyObject> {
    try storedLists(of: [owner], relation)[0] ?? []
  }

  func allModels<M: PersistentModel>(
    _ type: M.Type, _ table: IdentityTable
  ) throws -> [any PersistentModel] {
    let materializer = ModelMaterializer(table: table)
    try core.withScope {
      try materializer.read(Query(FetchDescriptor<M>(), editingState))
    }
    return materializer.models.map(table.definition.codec.model(from:)).sorted {
      PersistentIdentifier.isStoredBefore($0._$identifier, $1._$identifier)
    }
  }

}

extension PersistentModel {
  /// Returns a list's identifiers from the model's snapshot.
  func storedReferences(_ slot: Int) -> [PersistentIdentifier]? {
    capturedRow().references(0, slot)
  }

  /// Writes the identifiers of loaded lists into the model's values, for stores that do not support relationships.
  func storeReferences() {
    let buffer = capturedRow()
    for relation in type(of: self)._$definition.relations.toMany {
      guard let list = _$state.side?.links.list(relation.slot), list.isLoaded else { continue }
      buffer.setReferences(0, relation.slot, list.usableIdentifiers)
    }
    buffer.restore(0, self)
  }
}

// MARK: lists for several owners

extension ModelContext {
  /// Returns the stored members of a list for several owners, in owner order; `nil` for lists that were not read.
  ///
  /// - Parameter limit: The member count after which no further lists are read.
  func storedLists(
    of owners: [any PersistentModel], _ relation: Relation, limit: Int? = nil
  ) throws -> [ArraySlice<AnyObject>?] {
    guard let first = owners.first else { return [] }
    try loadPendingRows()
    let definition = type(of: first)._$definition
    guard let store = try table(for: definition).store.sqlStore else { return try namedMembers(of: owners, relation) }
    let identifiers = owners.map(\._$identifier)
    let request = DataStoreRelatedRequest(owners: identifiers, entityName: definition.entityName, slot: relation.slot)
    let materializer = ModelMaterializer(table: try table(for: relation.destination), isRemembered: true)
    materializer.limit = limit
    var isComplete = true
    do {
      try store.members(request) { owner, row in try materializer.receive(&row, owner: owner.row ?? 0) }
    } catch is ModelMaterializer.LimitReached {
      isComplete = false
    }
    materializer.remember()
    let (lists, models) = (materializer.lists, materializer.models)
    var places: [Int64: Int] = [:]
    places.reserveCapacity(lists.count)
    for (place, list) in lists.enumerated() { places[list.owner] = place }
    let rows = identifiers.map { $0.row ?? 0 }
    return rows.map { row in
      guard let place = places[row] else { return isComplete ? [] : nil }
      return models[lists[place].start..<(place + 1 < lists.count ? lists[place + 1].start : models.count)]
    }
  }

  /// Returns the stored members in a store that does not support relationships, from the owners' values or from the
  /// inverse references of all destination models.
  private func namedMembers(
    of owners: [any PersistentModel], _ relation: Relation
  ) throws -> [ArraySlice<AnyObject>?] {
    let known = owners.map { $0.storedReferences(relation.slot) }
    let named = try models(of: Set(known.lazy.flatMap { $0 ?? [] }), relation.destination)
    let isDerived = relation.inverse != nil && known.contains { $0 == nil }
    let all =
      isDerived ? try allModels(relation.destination.modelType, table(for: relation.destination)) : []
    return zip(owners, known).map { owner, members -> ArraySlice<AnyObject>? in
      guard let members else { return (all.filter { refers($0, to: owner, relation) } as [AnyObject])[...] }
      var seen = Set<PersistentIdentifier>()
      let unique = members.filter { seen.insert($0).inserted }
      return unique.compactMap { named[$0] as AnyObject? }[...]
    }
  }

  /// Returns true if a member's stored inverse refers to the owner.
  private func refers(_ member: any PersistentModel, to owner: any PersistentModel, _ relation: Relation) -> Bool {
    let (slot, identifier) = (relation.inverseSlot, owner._$identifier)
    if relation.inverseIsToMany { return member.storedReferences(slot)?.contains(identifier) ?? false }
    let reference =
      member._$state.side?.committed?.reference(slot) ?? type(of: member)._$definition.codec.reference(slot, of: member)
    return reference == identifier
  }

  /// Gives an unchanged owner a list that was not loaded: the stored members with pending changes applied.
  ///
  /// - Parameter mayClose: True if lists may lead back to the owner.
  func resolve(
    _ members: ArraySlice<AnyObject>, of owner: any PersistentModel, _ relation: Relation,
    mayClose: Bool
  ) {
    let list = relation.destination.codec.makeList(stored: members)
    if pending.isEmpty, !mayClose {
      owner.sideOfCleanModel.links.setList(relation.property.slot, list)
    } else {
      applyPending(to: list, of: owner, relation)
    }
  }
}

/// The to-many relationships that may lead back to their owners.
///
/// A list that retains its members creates a reference cycle if the members' lists lead back, as with friends of
/// friends, or tags and tagged notes. Lists retain members only if the schema rules out such cycles.
final class ListCycles: Sendable {
  /// Groups of root entities whose lists may lead back to each other.
  private let groups: CyclicGroups

  init(_ schema: Schema) {
    var edges: [String: Set<String>] = [:]
    for entity in schema.entities {
      for list in Schema.relationships(in: entity.storedProperties)
      where !list.isToOneRelationship {
        guard let destination = schema.entitiesByName[list.destination] else { continue }
        edges[entity.root.name, default: []].insert(destination.root.name)
      }
    }
    groups = CyclicGroups(edges)
  }

  /// Returns true if lists may lead from a member of the to-many relationship back to the owner.
  func mayClose(_ relation: Relation, of owner: ModelDefinition) -> Bool {
    groups.share(owner.root.entityName, relation.destination.root.entityName)
  }
}
