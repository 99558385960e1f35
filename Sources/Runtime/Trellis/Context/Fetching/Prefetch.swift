/// Loads a descriptor's prefetched relationships for all models in a result, with a single store query per
/// relationship and path.
struct Prefetch<T: PersistentModel> {
  let context: ModelContext
  let paths: [[Relation]]

  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` if a key path is not a relationship.
  init(_ descriptor: FetchDescriptor<T>, _ context: ModelContext) throws {
    self.context = context
    paths = try descriptor.relationshipKeyPathsForPrefetching.map { keyPath in
      guard let path = RelationshipPaths.path(keyPath, from: T._$definition) else {
        throw SwiftDataError.unsupportedKeyPath.explained(
          "\(keyPath) in 'relationshipKeyPathsForPrefetching' is not a relationship of "
            + "'\(T._$definition.entityName)' or a chain of relationships that begins there")
      }
      return path
    }
  }

  func run(_ models: [T]) throws {
    guard !paths.isEmpty else { return }
    let models: [any PersistentModel] =
      context.pending.isEmpty ? models : models.filter { !$0._$identifier.isTemporary }
    guard let group = context.group(of: models) else { return }
    for path in paths { try run(path, models, group) }
  }

  private func run(
    _ path: [Relation], _ models: [any PersistentModel], _ group: FaultBatch
  ) throws {
    var owners = models
    // Models that are not retained after the fetch. Only their values are cached.
    var unheld: [any PersistentModel] = []
    var isHeld = true
    for (step, relation) in path.enumerated() {
      guard let first = owners.first else { break }
      let mayClose = context.core.listCycles.mayClose(
        relation, of: type(of: first)._$definition)
      isHeld = isHeld && relation.property.kind.isToMany && !mayClose
      let isNeeded = !isHeld || step + 1 < path.count
      if !relation.property.kind.isToMany {
        owners = try context.loadTargets(of: owners, relation)
      } else if isNeeded {
        owners = try members(of: owners, relation)
      } else {
        try context.loadLists(of: having(relation, owners), relation)
      }
      if !isHeld { unheld += owners }
    }
    // Done last, so that the values include the lists loaded on the way.
    guard !unheld.isEmpty, let last = path.last else { return }
    context.keep(unheld, as: last, in: group)
  }

  /// Returns the models that have the relationship. In a hierarchy, only some classes may have it.
  private func having(
    _ relation: Relation, _ models: [any PersistentModel]
  ) -> [any PersistentModel] {
    models.filter { type(of: $0)._$definition.relations.relation(like: relation) != nil }
  }

  private func members(
    of owners: [any PersistentModel], _ relation: Relation
  ) throws -> [any PersistentModel] {
    let owners = having(relation, owners)
    let known = owners.compactMap { $0._$state.side?.links.list(relation.slot) }.filter(\.isLoaded).flatMap(\.members)
    let all = try known + context.loadLists(of: owners, relation).joined()
    var seen = Set<ObjectIdentifier>()
    return all.map(relation.destination.codec.model(from:)).filter { member in
      !member._$identifier.isTemporary && seen.insert(ObjectIdentifier(member)).inserted
    }
  }
}
