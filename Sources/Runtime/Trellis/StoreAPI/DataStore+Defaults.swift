import Foundation

extension DataStore {
  /// False: contexts enforce unique constraints.
  public var enforcesUniqueConstraints: Bool { false }

  /// False: contexts apply the offset.
  public var appliesFetchOffset: Bool { false }

  /// Fetches the identifiers and counts them.
  ///
  /// - Throws: Errors of the store's `fetch(_:)`.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try fetchIdentifiers(request).count
  }

  /// Fetches the models and returns their identifiers.
  ///
  /// Snapshots of other entities, which a store can return in addition, are left out.
  ///
  /// - Throws: Errors of the store's `fetch(_:)`.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    let filter = ClassFilter(T._$definition, schema)
    let identifiers = try fetch(request).fetchedSnapshots.lazy.filter(filter.takes)
      .map(\.persistentIdentifier)
    guard let limit = request.descriptor.fetchLimit else { return Array(identifiers) }
    return Array(identifiers.prefix(max(0, limit)))
  }

  /// Fetches all models and saves their deletion.
  ///
  /// - Throws: Errors of the store's `fetch(_:)` and `save(_:)`.
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

  /// Does nothing: the store keeps no state per context.
  public func initializeState(for editingState: EditingState) {}

  /// Returns no snapshots: the store has no cache.
  ///
  /// - Throws: An implementation can throw if its cache cannot be read.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot] { [:] }

  /// Does nothing: the store keeps no state per context.
  public func invalidateState(for editingState: EditingState) {}

  private func allSnapshots<T: PersistentModel>(
    of type: T.Type, _ editingState: EditingState
  ) throws -> [Snapshot] {
    try fetch(DataStoreFetchRequest<T>(descriptor: FetchDescriptor(), editingState: editingState))
      .fetchedSnapshots
  }
}

extension Schema {
  /// The names of the model's entity and of its subentities.
  func entityNames<T: PersistentModel>(for type: T.Type) -> Set<String> {
    let name = type._$definition.entityName
    return Set(entitiesByName[name]?.hierarchy.map(\.name) ?? [name])
  }
}
