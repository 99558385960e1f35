import Foundation

/// A store that answers with snapshots: any ``DataStore`` that does not stream rows.
final class SnapshotStoreHandle<S: DataStore>: StoreHandle, @unchecked Sendable {  // as its superclass
  let store: S
  private let plans: UniquePlans
  /// Held from the look at what is stored to the end of a save.
  private let savingLock = NSRecursiveLock()

  init(_ store: S, configurationName: String, entityNames: Set<String>) {
    self.store = store
    plans = UniquePlans(store.schema)
    super.init(
      identifier: store.identifier, configurationName: configurationName, entityNames: entityNames,
      allowsSave: true, isLocked: !(store is any ConcurrentDataStore))
  }

  override var object: AnyObject { store }

  override func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>, into receiver: ModelReceiver
  ) throws {
    let page = Page(request, store)
    let result = try serialised { try store.fetch(page.request) }
    let wanted = entityNames(of: T._$definition)
    for snapshot in page.cut(
      result.fetchedSnapshots.filter { wanted.contains($0.persistentIdentifier.entityName) })
    {
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
    let page = Page(request, store)
    let result = try serialised { try store.fetch(page.request) }
    let wanted = entityNames(of: T._$definition)
    for found in page.cut(
      result.fetchedSnapshots.filter { wanted.contains($0.persistentIdentifier.entityName) })
    {
      try snapshot(try Self.standard(found))
    }
  }

  override func fetchCount<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> Int {
    let page = Page(request, store)
    return page.cut(try serialised { try store.fetchCount(page.request) })
  }

  override func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    let page = Page(request, store)
    return Array(page.cut(try serialised { try store.fetchIdentifiers(page.request) }))
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
    let check = UniquenessCheck(request, plans)
    let roots = store.enforcesUniqueConstraints ? [] : try check.concerned()
    guard !roots.isEmpty else { return try serialised { try Self.bridged(request, store) } }
    // A store that several contexts may call at once has no lock of its own around this.
    return try savingLock.withLock {
      try serialised { try save(request, check, roots) }
    }
  }

  /// Saves models that have unique values.
  private func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ check: UniquenessCheck,
    _ roots: [ModelDefinition]
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var stored: [PersistentIdentifier: DefaultSnapshot] = [:]
    var check = check
    var all: [DefaultSnapshot] = []
    for root in roots {
      let wanted = entityNames(of: root)
      for found in try everything(root.modelType, request.editingState)
      where wanted.contains(found.persistentIdentifier.entityName) {
        all.append(try Self.standard(found))
      }
    }
    try check.run(stored: all)
    guard check.violations.isEmpty else {
      throw SwiftDataError.modelValidationFailure.listing(check.violations)
    }
    guard !check.merges.isEmpty else { return try Self.bridged(request, store) }
    for snapshot in all { stored[snapshot.persistentIdentifier] = snapshot }
    for (definition, identifiers) in SnapshotMerger.related(to: check.merges, in: request, stored) {
      for snapshot in try snapshots(Array(identifiers), definition, request.editingState) {
        stored[snapshot.persistentIdentifier] = snapshot
      }
    }
    var merger = SnapshotMerger(request, check.merges, stored: stored)
    let settled = merger.run()
    return try merger.result(try Self.bridged(settled, store), for: settled)
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

  /// The snapshot in the library's own form; a hand-written type says its values by encoding them.
  private static func standard(_ snapshot: S.Snapshot) throws -> DefaultSnapshot {
    if let snapshot = snapshot as? DefaultSnapshot { return snapshot.resolved() }
    if let direct = try? SnapshotFields(of: snapshot).snapshot() { return direct }
    // Values in another form than the property's, the raw value of an enum for instance.
    return try JSONColumn.value(
      DefaultSnapshot.self, from: Data(JSONColumn.text(of: snapshot).utf8))
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

/// What a store is asked for a page, and what is left to do with its answer.
///
/// Whether a store minds limit and offset cannot be seen from its answers. It is asked for everything up
/// to the end of the page, which it may cut off there or not.
private struct Page<T: PersistentModel> {
  let request: DataStoreFetchRequest<T>
  private let offset: Int
  private let limit: Int

  init(_ request: DataStoreFetchRequest<T>, _ store: some DataStore) {
    let offset = max(0, request.descriptor.fetchOffset ?? 0)
    limit = request.descriptor.fetchLimit.map { max(0, $0) } ?? .max
    guard offset > 0, !store.appliesFetchOffset else {
      self.request = request
      self.offset = 0
      return
    }
    self.offset = offset
    var descriptor = request.descriptor
    let (end, isBeyond) = limit.addingReportingOverflow(offset)
    descriptor.fetchOffset = 0
    descriptor.fetchLimit = isBeyond ? nil : end
    var whole = DataStoreFetchRequest(descriptor: descriptor, editingState: request.editingState)
    whole.isNarrowing = request.isNarrowing
    whole.form = request.form
    self.request = whole
  }

  func cut<Element>(_ found: [Element]) -> ArraySlice<Element> {
    found.dropFirst(offset).prefix(limit)
  }

  func cut(_ count: Int) -> Int { min(limit, max(0, count - offset)) }
}
