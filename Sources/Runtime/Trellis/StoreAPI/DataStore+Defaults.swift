import Foundation

extension DataStore {
  /// False: contexts see to it.
  public var enforcesUniqueConstraints: Bool { false }

  /// False: contexts see to it.
  public var appliesFetchOffset: Bool { false }

  /// Fetches and counts.
  ///
  /// - Throws: what the fetch, and for `erase()` the save, of the store throws.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try fetchIdentifiers(request).count
  }

  /// Fetches and takes the identifiers.
  ///
  /// Snapshots of other entities, which a store may return as well, are left out.
  ///
  /// - Throws: what the fetch, and for `erase()` the save, of the store throws.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    let filter = ClassFilter(T._$definition, schema)
    let identifiers = try fetch(request).fetchedSnapshots.lazy.filter(filter.takes)
      .map(\.persistentIdentifier)
    guard let limit = request.descriptor.fetchLimit else { return Array(identifiers) }
    return Array(identifiers.prefix(max(0, limit)))
  }

  /// Fetches everything and saves its deletion.
  ///
  /// - Throws: what the fetch, and for `erase()` the save, of the store throws.
  public func erase() throws {
    let editingState = EditingState()
    var deleted: [Snapshot] = []
    var seen: Set<PersistentIdentifier> = []
    for entity in schema.entities {
      guard let definition = entity.definition else { continue }
      for snapshot in try allSnapshots(of: definition.modelType, editingState)
      where seen.insert(snapshot.persistentIdentifier).inserted {
        deleted.append(snapshot)
      }
    }
    guard !deleted.isEmpty else { return }
    _ = try save(
      DataStoreSaveChangesRequest(
        inserted: [], updated: [], deleted: deleted, editingState: editingState))
  }

  /// Nothing is kept per context.
  public func initializeState(for editingState: EditingState) {}

  /// Nothing is at hand.
  ///
  /// - Throws: what the fetch, and for `erase()` the save, of the store throws.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot] { [:] }

  /// Nothing is kept per context.
  public func invalidateState(for editingState: EditingState) {}

  private func allSnapshots<T: PersistentModel>(
    of type: T.Type, _ editingState: EditingState
  ) throws -> [Snapshot] {
    try fetch(DataStoreFetchRequest<T>(descriptor: FetchDescriptor(), editingState: editingState))
      .fetchedSnapshots
  }
}

extension Schema {
  /// The entity of a model and those that inherit from it.
  func entityNames<T: PersistentModel>(for type: T.Type) -> Set<String> {
    let name = type._$definition.entityName
    return Set(entitiesByName[name]?.hierarchy.map(\.name) ?? [name])
  }
}
