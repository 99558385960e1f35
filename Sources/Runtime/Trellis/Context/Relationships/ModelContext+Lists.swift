extension ModelContext {
  /// A to-many list of a registered model with what is pending on it; nil, with a report, when it
  /// cannot be read.
  func loadList(of owner: any PersistentModel, slot: Int) -> ModelList? {
    let relation = type(of: owner)._$definition.relations.toMany[slot]
    do {
      let list = try readList(of: owner, slot: slot, withNeighbours: true)
      noteRead(of: owner, [relation.property.name])
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
    let relation = type(of: owner)._$definition.relations.toMany[slot]
    var members: ArraySlice<AnyObject> = []
    if !owner._$identifier.isTemporary {
      members =
        try known.flatMap { membersInMemory($0, relation) }
        ?? (withNeighbours ? membersWithNeighbours(of: owner, relation) : nil) ?? savedMembers(of: owner, relation)
    }
    let list = relation.destination.codec.makeList(stored: members)
    // The store's order is that of the keys. The program continues to see the order that it knows.
    if let order = known?.committed { list.arrange(as: order) }
    applyPending(to: list, of: owner, relation)
    return list
  }

  /// The members of a list of identifiers, if all of them are in memory.
  private func membersInMemory(_ list: ModelList, _ relation: Relation) -> ArraySlice<AnyObject>? {
    var members: [AnyObject] = []
    for identifier in list.committed ?? [] {
      guard let member = inMemory(identifier, relation.destination) else { return nil }
      members.append(member)
    }
    return members[...]
  }

  /// The members of a resting list; nil, with a report, when they cannot be read.
  func readMembers(
    _ identifiers: [PersistentIdentifier], of owner: PersistentIdentifier, _ relation: Relation
  ) -> [AnyObject]? {
    do {
      let models = try models(of: identifiers, relation.destination)
      return identifiers.compactMap { models[$0] }
    } catch {
      noteFailedRead(of: owner, relation.property.name, error)
      return nil
    }
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
        slot, resting(list, relation, of: type(of: owner)._$definition))
    }
  }

  /// Whether a member that is stored has moved to another owner in memory.
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
  /// - Returns: the stored members of every list that had to be loaded.
  @discardableResult func loadLists(
    of owners: [any PersistentModel], _ relation: Relation
  ) throws -> [ArraySlice<AnyObject>] {
    let slot = relation.property.slot
    let missing = owners.filter { !$0._$identifier.isTemporary && $0._$state.side?.links.list(slot)?.isLoaded != true }
    guard let first = missing.first else { return [] }
    let mayClose = core.listCycles.mayClose(relation, of: type(of: first)._$definition)
    let lists = try storedLists(of: missing, relation)
    for case (let owner, let members?) in zip(missing, lists) {
      settle(members, of: owner, relation, mayClose: mayClose)
    }
    return lists.compactMap(\.self)
  }

  /// The members as they are stored.
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
  /// The identifiers of a list as they came with the model's snapshot.
  func storedReferences(_ slot: Int) -> [PersistentIdentifier]? {
    capturedRow().references(0, slot)
  }

  /// Puts the identifiers of loaded lists among the values, for stores that know of no relationships.
  func storeReferences() {
    let buffer = capturedRow()
    for relation in type(of: self)._$definition.relations.toMany {
      guard let list = _$state.side?.links.list(relation.slot), list.isLoaded else { continue }
      buffer.setReferences(0, relation.slot, list.usableIdentifiers)
    }
    buffer.restore(0, self)
  }
}

// MARK: lists of several owners

extension ModelContext {
  /// The stored members of a list of several owners, in the order of the owners; nil for lists that were not read.
  ///
  /// - Parameter limit: after so many members no further list is read.
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

  /// The same in a store that knows nothing of relationships, where the models' own values tell: those of the owners, or
  /// of the models whose inverse points to an owner.
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

  /// True if the stored inverse of a member leads to an owner.
  private func refers(_ member: any PersistentModel, to owner: any PersistentModel, _ relation: Relation) -> Bool {
    let (slot, identifier) = (relation.inverseSlot, owner._$identifier)
    if relation.inverseIsToMany { return member.storedReferences(slot)?.contains(identifier) ?? false }
    let reference =
      member._$state.side?.committed?.reference(slot) ?? type(of: member)._$definition.codec.reference(slot, of: member)
    return reference == identifier
  }

  /// Gives an unchanged owner a list that was not loaded: the stored members with their pending changes.
  ///
  /// - Parameter mayClose: whether lists may lead back to the owner.
  func settle(
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

/// Which to-many relationships may lead back to the model they start from.
///
/// A list that holds its members is a reference cycle as soon as lists of theirs lead back: friends
/// of friends, tags and the notes that bear them. Where the schema rules that out, lists hold their
/// members.
final class ListCycles: Sendable {
  /// Of root entities whose lists may lead back to them.
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

  /// Whether lists may lead from a member of the to-many relationship back to its owner.
  func mayClose(_ relation: Relation, of owner: ModelDefinition) -> Bool {
    groups.share(owner.root.entityName, relation.destination.root.entityName)
  }
}
