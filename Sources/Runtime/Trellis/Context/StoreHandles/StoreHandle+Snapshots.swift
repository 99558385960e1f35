import Foundation

/// Calls to stores that return snapshots, which are all ``DataStore`` types that have no tables.
extension StoreHandle {
  /// Creates the store request for a query.
  ///
  /// The result does not show whether the store has applied the limit and offset. Therefore the request covers
  /// everything up to the end of the page, and the context extracts the page.
  ///
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` if a predicate captures temporary identifiers, which only the
  ///   context can resolve.
  func request<T: PersistentModel>(_ query: Query<T>) throws -> DataStoreFetchRequest<T> {
    if CapturedIdentifiers.scope != nil, let predicate = query.descriptor.predicate,
      PredicateShape(predicate).capturesTemporaryIdentifiers
    {
      throw DataStoreError.preferInMemoryFilter
    }
    var descriptor = query.descriptor
    if query.offset > 0, !store.appliesFetchOffset {
      descriptor.fetchOffset = 0
      descriptor.fetchLimit = query.limit.map { min($0, .max - query.offset) + query.offset }
    }
    return DataStoreFetchRequest(descriptor: descriptor, editingState: query.editingState)
  }

  /// Returns the query's page of a result.
  func page<Element>(_ found: [Element], of query: StoreQuery) -> [Element] {
    store.appliesFetchOffset ? Array(found.prefix(query.limit ?? .max)) : query.page(found)
  }

  /// Returns the distinct matches and any additional models in the result. Snapshots of unrelated entities are
  /// omitted.
  ///
  /// - Parameter wanted: The only matches to return; `nil` for all.
  func snapshots<T: PersistentModel>(
    _ query: Query<T>, among wanted: Set<PersistentIdentifier>? = nil
  ) throws -> (matches: [DefaultSnapshot], related: [DefaultSnapshot]) {
    let request = try request(query)
    let filter = ClassFilter(T._$definition, store.schema)
    func fetch<S: DataStore>(_ store: S) throws -> (matches: [DefaultSnapshot], related: [DefaultSnapshot]) {
      let result = try serialised { try store.fetch(request) }
      var seen = Set<PersistentIdentifier>()
      let found = result.fetchedSnapshots.filter { snapshot in
        let identifier = snapshot.persistentIdentifier
        return wanted?.contains(identifier) != false && filter.takes(snapshot) && seen.insert(identifier).inserted
      }
      let matches = try page(found, of: query).compactMap { try checked($0, of: filter.definition) }
      let related = try result.relatedSnapshots.values.compactMap { try checked($0) }
      return (matches, related)
    }
    return try fetch(store)
  }

  /// Returns the store's cached snapshots, and fetches the entity for the rest.
  func snapshots(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition, _ editingState: EditingState
  ) throws -> [DefaultSnapshot] {
    let cached: [PersistentIdentifier: any DataStoreSnapshot] = try serialised {
      try store.cachedSnapshots(for: identifiers, editingState: editingState)
    }
    let found = try identifiers.compactMap { identifier in
      try cached[identifier].flatMap { try checked($0, under: identifier, of: definition) }
    }
    let missing = Set(identifiers).subtracting(cached.keys)
    return missing.isEmpty ? found : found + (try snapshots(of: definition, editingState, among: missing))
  }

  /// Returns all snapshots of a class.
  func snapshots(
    of definition: ModelDefinition, _ editingState: EditingState, among wanted: Set<PersistentIdentifier>? = nil
  ) throws -> [DefaultSnapshot] {
    func all<M: PersistentModel>(_: M.Type) throws -> [DefaultSnapshot] {
      try snapshots(Query<M>(FetchDescriptor(), editingState), among: wanted).matches
    }
    return try all(definition.modelType)
  }

  /// Saves with snapshots of the store's own type, created from backing data.
  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    func save<S: DataStore>(_ store: S) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
      func own(_ snapshots: [DefaultSnapshot]) -> [S.Snapshot] {
        snapshots.compactMap { snapshot in
          if let snapshot = snapshot as? S.Snapshot { return snapshot }
          guard let backing = snapshot.buffer.makeBackingData(snapshot.index) else { return nil }
          var related: [PersistentIdentifier: any BackingData] = [:]
          return S.Snapshot(from: backing, relatedBackingDatas: &related)
        }
      }
      let result = try store.save(
        DataStoreSaveChangesRequest(
          inserted: own(request.inserted), updated: own(request.updated),
          deleted: own(request.deleted), editingState: request.editingState))
      var refreshed: [PersistentIdentifier: DefaultSnapshot] = [:]
      for (identifier, snapshot) in result.snapshotsToReregister {
        refreshed[identifier] = try checked(snapshot, under: identifier)
      }
      return result.reregistering(refreshed)
    }
    return try save(store)
  }
}

// MARK: validation of results

/// Validates results of snapshot stores before models are created: identifiers must belong to the store, and snapshots
/// to the class given by the identifier.
extension StoreHandle {
  /// Converts a snapshot to the library's form, or returns `nil` if the schema lacks its class. Custom snapshot types
  /// are converted through their encoded form.
  ///
  /// - Parameters:
  ///   - identifier: The expected identifier; `nil` for any.
  ///   - expected: The expected class or a superclass; `nil` for any.
  private func checked(
    _ snapshot: some DataStoreSnapshot, under identifier: PersistentIdentifier? = nil,
    of expected: ModelDefinition? = nil
  ) throws -> DefaultSnapshot? {
    let standard =
      try (snapshot as? DefaultSnapshot)?.resolved()
      ?? JSONColumn.value(DefaultSnapshot.self, from: Data(JSONColumn.text(of: snapshot).utf8))
    let own = standard.persistentIdentifier
    if let identifier, own != identifier { throw error("returned the snapshot of \(own) for \(identifier)") }
    let name = standard.buffer.definition?.entityName ?? own.entityName
    guard let definition = expected ?? store.schema.entitiesByName[name]?.definition else { return nil }
    try check(standard, root: definition.root)
    return standard
  }

  private func error(_ explanation: String) -> SwiftDataError {
    SwiftDataError.invalidStoreAnswer.explained("the store '\(configurationName)' \(explanation)")
  }

  /// - Throws: ``SwiftDataError/invalidStoreAnswer`` if the identifier is temporary or belongs to a different store.
  func check(_ identifier: PersistentIdentifier) throws {
    guard identifier.isTemporary || identifier.storeIdentifier != self.identifier else { return }
    let kind = identifier.storeIdentifier.map { "which belongs to the store '\($0)'" } ?? "which is temporary"
    throw error(
      "returned \(identifier), \(kind): create identifiers with "
        + "'PersistentIdentifier.identifier(for:entityName:primaryKey:)' and the store's own "
        + "identifier, '\(self.identifier)'")
  }

  /// - Parameter root: The root class of the expected hierarchy.
  private func check(_ snapshot: DefaultSnapshot, root: ModelDefinition) throws {
    let identifier = snapshot.persistentIdentifier
    try check(identifier)
    guard let definition = snapshot.buffer.definition, definition.root === root else {
      throw misfit(snapshot, of: root.entityName)
    }
    guard definition.isOrInherits(from: identifier.entityName) else {
      throw misfit(snapshot, of: identifier.entityName)
    }
  }

  /// Returns the error for a snapshot with missing values or values of a different class.
  func misfit(_ snapshot: DefaultSnapshot, of entityName: String) -> SwiftDataError {
    error(
      "returned a snapshot of '\(snapshot.buffer.definition?.entityName ?? "nothing")' for "
        + "\(snapshot.persistentIdentifier), where a '\(entityName)' of the container's schema is expected: keep the "
        + "snapshots that a save passes to the store, or decode them, because these have the model's own class")
  }

  /// Validates the identifiers for inserted models before they are assigned.
  ///
  /// - Parameters:
  ///   - merged: The positions of models that were merged with existing rows.
  ///   - model: Returns the registered model for an identifier.
  func check(
    _ permanent: [PersistentIdentifier], of models: [any PersistentModel], merged: Set<Int>,
    model: (PersistentIdentifier, ModelDefinition) -> (any PersistentModel)?
  ) throws {
    guard !isRelational else { return }
    var given: [PersistentIdentifier: any PersistentModel] = [:]
    for (position, new) in models.enumerated() {
      let identifier = permanent[position]
      try check(identifier)
      let definition = type(of: new)._$definition
      guard definition.isOrInherits(from: identifier.entityName) else {
        throw error(
          "gave \(new._$identifier) the identifier \(identifier) of another entity, and has already saved the model")
      }
      let other = given.updateValue(new, forKey: identifier) ?? model(identifier, definition)
      guard let other, other !== new, !merged.contains(position) else { continue }
      guard store.enforcesUniqueConstraints, type(of: other) == type(of: new) else {
        throw error(
          "gave \(new._$identifier) the identifier \(identifier), which already belongs to another "
            + "'\(type(of: other)._$definition.entityName)': each model needs its own identifier, even if "
            + "the models only share a superclass; the store has already saved both")
      }
    }
  }
}
