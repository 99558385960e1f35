import Foundation

/// A store that answers with snapshots: any ``DataStore`` that does not stream rows.
final class SnapshotStoreHandle<S: DataStore>: StoreHandle, @unchecked Sendable {  // as its superclass
  let store: S

  init(_ store: S, configurationName: String, entityNames: Set<String>) {
    self.store = store
    super.init(
      identifier: store.identifier, configurationName: configurationName, entityNames: entityNames,
      allowsSave: true, isLocked: !(store is any ConcurrentDataStore))
  }

  override var object: AnyObject { store }

  override func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>, into receiver: ModelReceiver
  ) throws {
    let result = try serialised { try store.fetch(request) }
    let wanted = entityNames(of: T._$definition)
    let limit = request.descriptor.fetchLimit.map { max(0, $0) } ?? .max
    for snapshot in result.fetchedSnapshots
    where wanted.contains(snapshot.persistentIdentifier.entityName) {
      // A store may leave the limit to the context, as it may its identifiers and count.
      guard receiver.models.count < limit else { break }
      receiver.receive(try Self.standard(snapshot))
    }
    let own = Set(receiver.models.map(ObjectIdentifier.init))
    for snapshot in result.relatedSnapshots.values {
      guard let definition = entity(snapshot.persistentIdentifier.entityName) else { continue }
      guard let table = try? receiver.table.context.table(for: definition) else { continue }
      let related = ModelReceiver(table: table)
      if table.object(snapshot.persistentIdentifier).map({ own.contains(ObjectIdentifier($0)) })
        == true
      {
        continue
      }
      related.receive(try Self.standard(snapshot))
      receiver.related += related.models.map(table.definition.codec.model(from:))
    }
  }

  override func visit<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>, row: (inout StatementRow) throws -> Void,
    snapshot: (DefaultSnapshot) throws -> Void
  ) throws {
    let result = try serialised { try store.fetch(request) }
    let wanted = entityNames(of: T._$definition)
    var left = request.descriptor.fetchLimit.map { max(0, $0) } ?? .max
    for found in result.fetchedSnapshots
    where wanted.contains(found.persistentIdentifier.entityName) {
      guard left > 0 else { break }
      try snapshot(try Self.standard(found))
      left -= 1
    }
  }

  override func fetchCount<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> Int {
    try serialised { try store.fetchCount(request) }
  }

  override func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try serialised { try store.fetchIdentifiers(request) }
  }

  override func load(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition,
    _ editingState: EditingState, _ receiver: ModelReceiver
  ) throws {
    for snapshot in try snapshots(identifiers, definition, editingState) {
      receiver.receive(snapshot)
    }
  }

  override func read(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition,
    _ editingState: EditingState, into batch: SnapshotBatch
  ) throws {
    for snapshot in try snapshots(identifiers, definition, editingState) {
      batch.append(snapshot.batch, snapshot.index)
    }
  }

  /// The cached snapshots of the store, the rest from a fetch of the entity.
  private func snapshots(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition,
    _ editingState: EditingState
  ) throws -> [DefaultSnapshot] {
    let cached = try serialised {
      try store.cachedSnapshots(for: identifiers, editingState: editingState)
    }
    var found: [DefaultSnapshot] = []
    var missing = Set<PersistentIdentifier>()
    for identifier in identifiers {
      if let snapshot = cached[identifier] {
        found.append(try Self.standard(snapshot))
      } else {
        missing.insert(identifier)
      }
    }
    guard !missing.isEmpty else { return found }
    for snapshot in try everything(definition.modelType, editingState)
    where missing.contains(snapshot.persistentIdentifier) {
      found.append(try Self.standard(snapshot))
    }
    return found
  }

  private func everything<M: PersistentModel>(
    _ type: M.Type, _ editingState: EditingState
  ) throws -> [S.Snapshot] {
    let request = DataStoreFetchRequest(
      descriptor: FetchDescriptor<M>(), editingState: editingState)
    return try serialised { try store.fetch(request).fetchedSnapshots }
  }

  override func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try serialised { try Self.bridged(request, store) }
  }

  override func fetchHistory<T: HistoryTransaction>(
    _ descriptor: HistoryDescriptor<T>
  ) throws -> [T]? {
    guard let store = store as? any HistoryProviding else { return nil }
    return try serialised { try store.history(descriptor) }
  }

  override func deleteHistory<T: HistoryTransaction>(
    _ descriptor: HistoryDescriptor<T>
  ) throws -> Bool {
    guard let store = store as? any HistoryProviding else { return false }
    return try serialised { try store.forget(descriptor) }
  }

  override func erase() throws { try serialised { try store.erase() } }

  override func initializeState(for editingState: EditingState) {
    serialised { store.initializeState(for: editingState) }
  }

  override func invalidateState(for editingState: EditingState) {
    serialised { store.invalidateState(for: editingState) }
  }

  // MARK: snapshots of other types

  private func entity(_ name: String) -> ModelDefinition? {
    store.schema.entitiesByName[name]?.definition
  }

  private func entityNames(of definition: ModelDefinition) -> Set<String> {
    Set(store.schema.entitiesByName[definition.entityName]?.hierarchy.map(\.name)
      ?? [definition.entityName])
  }

  /// The snapshot in the library's own form; a hand-written type goes through its coded form.
  private static func standard(_ snapshot: S.Snapshot) throws -> DefaultSnapshot {
    if let snapshot = snapshot as? DefaultSnapshot { return snapshot.resolved() }
    return try JSONDecoder().decode(DefaultSnapshot.self, from: JSONEncoder().encode(snapshot))
  }

  /// Saves through snapshots of the store's own type, made from backing data.
  private static func bridged(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ store: S
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    func own(_ snapshots: [DefaultSnapshot]) -> [S.Snapshot] {
      snapshots.compactMap { snapshot in
        if let snapshot = snapshot as? S.Snapshot { return snapshot }
        guard let backing = snapshot.batch.backingData(snapshot.index) else { return nil }
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
      refreshed[identifier] = try standard(snapshot)
    }
    return DataStoreSaveChangesResult(
      for: result.storeIdentifier, remappedIdentifiers: result.remappedIdentifiers,
      snapshotsToReregister: refreshed, historyToken: result.historyToken)
  }
}
