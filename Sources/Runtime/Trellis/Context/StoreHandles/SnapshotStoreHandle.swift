import Foundation

/// A store that answers with snapshots: any ``DataStore`` that is not a database of this library.
final class SnapshotStoreHandle<S: DataStore>: StoreHandle, @unchecked Sendable {  // as its superclass
  let store: S
  let gate: SnapshotGate
  let plans: UniquePlans
  /// Held from the check of the stored values to the end of a save.
  let savingLock = NSRecursiveLock()

  init(_ store: S, configurationName: String, entityNames: Set<String>) {
    self.store = store
    plans = UniquePlans(store.schema)
    let identifier = store.identifier
    gate = SnapshotGate(storeIdentifier: identifier, name: configurationName)
    super.init(
      identifier: identifier, configurationName: configurationName, entityNames: entityNames,
      history: store as? any HistoryProviding, isLocked: !(store is any ConcurrentDataStore))
  }

  override var object: AnyObject { store }

  override func rows<T: PersistentModel>(
    _ query: Query<T>, into materializer: ModelMaterializer
  ) throws {
    let page = try SnapshotPage(query, store)
    let result = try serialised { try store.fetch(page.request) }
    for snapshot in try matches(T.self, result.fetchedSnapshots, page) {
      try materializer.receive(snapshot, gate)
    }
    let own = Set(materializer.models.map(ObjectIdentifier.init))
    for snapshot in result.relatedSnapshots.values {
      let snapshot = try Self.standard(snapshot)
      guard let definition = known(snapshot) else { continue }
      try gate.check(snapshot, root: definition.root)
      guard let table = try? materializer.table.context.table(for: definition), table.store === self else {
        continue
      }
      let related = ModelMaterializer(table: table)
      if table.object(snapshot.persistentIdentifier).map({ own.contains(ObjectIdentifier($0)) })
        == true
      {
        continue
      }
      try related.receive(snapshot, gate)
      materializer.related += related.models.map(table.definition.codec.model(from:))
    }
  }

  override func rows<T: PersistentModel>(
    _ query: Query<T>, row: (inout StatementRow) throws -> Void,
    snapshot: (DefaultSnapshot) throws -> Void
  ) throws {
    let page = try SnapshotPage(query, store)
    let result = try serialised { try store.fetch(page.request) }
    for found in try matches(T.self, result.fetchedSnapshots, page) { try snapshot(found) }
  }

  /// The snapshots of a class on a page, each once; those of other entities are left out.
  private func matches<T: PersistentModel>(
    _ type: T.Type, _ found: [S.Snapshot], _ page: SnapshotPage<T>
  ) throws -> [DefaultSnapshot] {
    let filter = ClassFilter(T._$definition, store.schema)
    var seen = Set<PersistentIdentifier>()
    let wanted = found.filter { snapshot in
      filter.takes(snapshot) && seen.insert(snapshot.persistentIdentifier).inserted
    }
    return try page.cut(wanted).map { snapshot in
      let snapshot = try Self.standard(snapshot)
      try gate.check(snapshot, root: filter.definition.root)
      return snapshot
    }
  }

  override func count<T: PersistentModel>(_ query: Query<T>) throws -> Int {
    let page = try SnapshotPage(query, store)
    return page.cut(try serialised { try store.fetchCount(page.request) })
  }

  override func keys<T: PersistentModel>(_ query: Query<T>) throws -> [PersistentIdentifier] {
    let page = try SnapshotPage(query, store)
    let found = try serialised { try store.fetchIdentifiers(page.request) }
    let filter = ClassFilter(T._$definition, store.schema)
    var seen = Set<PersistentIdentifier>()
    let own = try found.filter { identifier in
      guard filter.mayTake(identifier) else { return false }
      try gate.check(identifier)
      return seen.insert(identifier).inserted
    }
    return Array(page.cut(own))
  }

  override func load(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition,
    _ editingState: EditingState, _ materializer: ModelMaterializer
  ) throws {
    for snapshot in try snapshots(identifiers, definition, editingState) {
      try materializer.receive(snapshot, gate)
    }
  }

  override func read(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition,
    _ editingState: EditingState, into buffer: SnapshotBuffer
  ) throws {
    for snapshot in try snapshots(identifiers, definition, editingState) {
      guard snapshot.buffer.definition === buffer.definition else {
        throw gate.misfit(snapshot, of: definition.entityName)
      }
      buffer.append(snapshot.buffer, snapshot.index)
    }
  }

  /// The cached snapshots of the store, the rest from a fetch of the entity.
  func snapshots(
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
        let snapshot = try Self.standard(snapshot)
        guard snapshot.persistentIdentifier == identifier else {
          throw gate.misplaced(snapshot, under: identifier)
        }
        found.append(snapshot)
      } else {
        missing.insert(identifier)
      }
    }
    if !missing.isEmpty {
      for snapshot in try everything(definition.modelType, editingState)
      where missing.remove(snapshot.persistentIdentifier) != nil {
        found.append(try Self.standard(snapshot))
      }
    }
    for snapshot in found { try gate.check(snapshot, root: definition.root) }
    return found
  }

  func everything<M: PersistentModel>(
    _ type: M.Type, _ editingState: EditingState
  ) throws -> [S.Snapshot] {
    let request = DataStoreFetchRequest(
      descriptor: FetchDescriptor<M>(), editingState: editingState)
    return try serialised { try store.fetch(request).fetchedSnapshots }
  }

  override func makeTransaction(readsFirst: Bool) -> any StoreTransaction { SnapshotTransaction(self) }

  override func erase() throws { try serialised { try store.erase() } }

  override func initializeState(for editingState: EditingState) {
    serialised { store.initializeState(for: editingState) }
  }

  override func invalidateState(for editingState: EditingState) {
    serialised { store.invalidateState(for: editingState) }
  }

  override func check(
    _ permanent: [PersistentIdentifier], of models: [any PersistentModel], merged: Set<Int>,
    in context: ModelContext
  ) throws {
    try gate.check(
      permanent, of: models, merged: merged, mayMerge: store.enforcesUniqueConstraints,
      registered: context.registered)
  }
}

/// Snapshots of other types, and the answers to saves.
extension SnapshotStoreHandle {
  /// The snapshot in the library's own form; a hand-written type says its values by encoding them.
  static func standard(_ snapshot: S.Snapshot) throws -> DefaultSnapshot {
    if let snapshot = snapshot as? DefaultSnapshot { return snapshot.resolved() }
    return try JSONColumn.value(
      DefaultSnapshot.self, from: Data(JSONColumn.text(of: snapshot).utf8))
  }

  /// Saves through snapshots of the store's own type, made from backing data.
  func bridged(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
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
      let own = try Self.standard(snapshot)
      guard own.persistentIdentifier == identifier else {
        throw gate.misplaced(own, under: identifier)
      }
      guard let definition = known(own) else { continue }
      try gate.check(own, root: definition.root)
      refreshed[identifier] = own
    }
    // A store around another one may hand its answer on: it says which models were merged.
    if let own = result as? DataStoreSaveChangesResult<DefaultSnapshot> {
      return own.reregistering(refreshed)
    }
    return DataStoreSaveChangesResult(
      for: result.storeIdentifier, remappedIdentifiers: result.remappedIdentifiers,
      snapshotsToReregister: refreshed, historyToken: result.historyToken)
  }

  /// The schema's own class of the entity a snapshot is of; nil where the schema does not have it.
  func known(_ snapshot: DefaultSnapshot) -> ModelDefinition? {
    let name = snapshot.buffer.definition?.entityName ?? snapshot.persistentIdentifier.entityName
    return store.schema.entitiesByName[name]?.definition
  }
}

extension SnapshotGate {
  /// Whether the identifiers that inserted models have got can be theirs: before any model has one.
  ///
  /// - Parameters:
  ///   - mayMerge: whether the store may have found that a model is one it has.
  ///   - registered: the model that is known under an identifier.
  func check(
    _ permanent: [PersistentIdentifier], of models: [any PersistentModel], merged: Set<Int>,
    mayMerge: Bool, registered: (PersistentIdentifier, ModelDefinition) -> (any PersistentModel)?
  ) throws {
    var given: [PersistentIdentifier: any PersistentModel] = [:]
    for (position, model) in models.enumerated() {
      let identifier = permanent[position]
      try check(identifier)
      let definition = type(of: model)._$definition
      guard definition.isOrInherits(from: identifier.entityName) else {
        throw error(
          "gave \(model._$identifier) the identifier \(identifier) of another entity; it has saved it")
      }
      let other = given.updateValue(model, forKey: identifier) ?? registered(identifier, definition)
      guard let other, other !== model, !merged.contains(position) else { continue }
      guard mayMerge, type(of: other) == type(of: model) else {
        throw error(
          "gave \(model._$identifier) the identifier \(identifier), which is that of another "
            + "'\(type(of: other)._$definition.entityName)': each model needs one of its own, also "
            + "among those that inherit from one class; it has saved both")
      }
    }
  }
}

/// The request to a store of snapshots for one page, and the part of the page that is left to the context.
///
/// The answer of a store does not show whether the store applies limit and offset. So the request is for
/// everything up to the end of the page, and the context cuts the page out of the answer.
struct SnapshotPage<T: PersistentModel> {
  let request: DataStoreFetchRequest<T>
  private let offset: Int
  private let limit: Int

  /// - Throws: ``DataStoreError/preferInMemoryFilter`` for a predicate that captures temporary identifiers, of which only
  ///   the context knows the rows.
  init(_ query: Query<T>, _ store: some DataStore) throws {
    if CapturedIdentifiers.scope != nil, let predicate = query.descriptor.predicate,
      PredicateShape(predicate).capturesTemporaryIdentifiers
    {
      throw DataStoreError.preferInMemoryFilter
    }
    limit = query.limit ?? .max
    offset = store.appliesFetchOffset ? 0 : query.offset
    var descriptor = query.descriptor
    if offset > 0 {
      let (end, isBeyond) = limit.addingReportingOverflow(offset)
      descriptor.fetchOffset = 0
      descriptor.fetchLimit = isBeyond ? nil : end
    }
    request = DataStoreFetchRequest(descriptor: descriptor, editingState: query.editingState)
  }

  func cut<Element>(_ found: [Element]) -> ArraySlice<Element> {
    found.dropFirst(offset).prefix(limit)
  }

  func cut(_ count: Int) -> Int { count > offset ? min(limit, count - offset) : 0 }
}
