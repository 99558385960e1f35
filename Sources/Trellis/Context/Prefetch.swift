/// Loads the relationships that a descriptor names for all models of a result: one question to a
/// store for each relationship of each path.
struct Prefetch<T: PersistentModel> {
  let context: ModelContext
  let paths: [[Relation]]

  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for a key path that names no relationship.
  init(_ descriptor: FetchDescriptor<T>, _ context: ModelContext) throws {
    self.context = context
    paths = try descriptor.relationshipKeyPathsForPrefetching.map { keyPath in
      guard let path = RelationshipPaths.path(keyPath, from: T._$definition) else {
        throw SwiftDataError.unsupportedKeyPath.explained(
          "\(keyPath) in 'relationshipKeyPathsForPrefetching' is no relationship of "
            + "'\(T._$definition.entityName)', nor a chain of relationships that begins there")
      }
      return path
    }
  }

  func run(_ models: [T]) throws {
    let models: [any PersistentModel] = models.filter { !$0._$identifier.isTemporary }
    guard !paths.isEmpty, let group = context.group(of: models) else { return }
    for path in paths { try run(path, models, group) }
  }

  private func run(
    _ path: [Relation], _ models: [any PersistentModel], _ group: FetchGroup
  ) throws {
    var owners = models
    // What nobody will hold when this is over; values of it are kept.
    var unheld: [any PersistentModel] = []
    var isHeld = true
    for relation in path {
      let isToMany = relation.property.kind.isToMany
      let mayClose =
        isToMany
        && owners.contains {
          context.container.listCycles.mayClose(relation, of: type(of: $0)._$definition)
        }
      owners = try isToMany ? members(of: owners, relation) : targets(of: owners, relation)
      isHeld = isHeld && isToMany && !mayClose
      if !isHeld { unheld += owners }
      guard !owners.isEmpty else { break }
    }
    // Only now, with the lists that were loaded on the way.
    guard !unheld.isEmpty, let last = path.last else { return }
    context.keep(unheld, for: last, in: group)
  }

  private func targets(
    of owners: [any PersistentModel], _ relation: Relation
  ) throws -> [any PersistentModel] {
    var found: [PersistentIdentifier: any PersistentModel] = [:]
    var missing: [PersistentIdentifier] = []
    var seen = Set<PersistentIdentifier>()
    for owner in owners {
      let definition = type(of: owner)._$definition
      guard let own = definition.relations.toOne(like: relation),
        let reference = definition.codec.reference(own.property.slot, of: owner),
        seen.insert(reference).inserted
      else { continue }
      if let model = context.inMemory(reference, relation.destination) {
        found[reference] = model
      } else if !reference.isTemporary {
        missing.append(reference)
      }
    }
    if !missing.isEmpty {
      for model in try context.load(missing, relation.destination) {
        found[model._$identifier] = model
      }
    }
    return Array(found.values)
  }

  private func members(
    of owners: [any PersistentModel], _ relation: Relation
  ) throws -> [any PersistentModel] {
    let owners = owners.filter {
      type(of: $0)._$definition.relations.toMany(like: relation) != nil
    }
    let loaded = try context.loadLists(of: owners, relation)
    var seen = Set<ObjectIdentifier>()
    var found: [any PersistentModel] = []
    for owner in owners {
      let slot = relation.property.slot
      let members =
        loaded[owner._$identifier] ?? owner._$state.side?.links.list(slot)?.models ?? []
      for member in members
      where !member._$identifier.isTemporary && seen.insert(ObjectIdentifier(member)).inserted {
        found.append(member)
      }
    }
    return found
  }
}
