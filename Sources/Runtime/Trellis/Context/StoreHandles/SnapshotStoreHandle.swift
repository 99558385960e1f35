import Foundation

/// A store that answers with snapshots: any ``DataStore`` that is not a database of this library.
final class SnapshotStoreHandle<S: DataStore>: StoreHandle, @unchecked Sendable {  // as its superclass
  let store: S
  let gate: SnapshotGate
  private let plans: UniquePlans
  /// Held from the look at what is stored to the end of a save.
  private let savingLock = NSRecursiveLock()

  init(_ store: S, configurationName: String, entityNames: Set<String>) {
    self.store = store
    plans = UniquePlans(store.schema)
    let identifier = store.identifier
    gate = SnapshotGate(storeIdentifier: identifier, name: configurationName)
    super.init(
      identifier: identifier, configurationName: configurationName, entityNames: entityNames,
      allowsSave: true, history: store as? any HistoryProviding,
      isLocked: !(store is any ConcurrentDataStore))
  }

  override var object: AnyObject { store }
  override var recordsHistory: Bool { history != nil }

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

  private func everything<M: PersistentModel>(
    _ type: M.Type, _ editingState: EditingState
  ) throws -> [S.Snapshot] {
    let request = DataStoreFetchRequest(
      descriptor: FetchDescriptor<M>(), editingState: editingState)
    return try serialised { try store.fetch(request).fetchedSnapshots }
  }

  override func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>,
    recheck: () throws -> DataStoreSaveChangesRequest<DefaultSnapshot>, beforeCommit: (() throws -> Void)?
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    let check = UniquenessCheck(request, plans)
    let roots = store.enforcesUniqueConstraints && !request.overwritesConflicts ? [] : try check.concerned()
    guard !roots.isEmpty || !request.committed.isEmpty else {
      return try serialised {
        try beforeCommit?()
        return try bridged(request)
      }
    }
    // A store that several contexts may call at once has no lock around this. Where it has
    // one, that comes first, as it does when the store saves something while it answers a fetch.
    return try serialised {
      try savingLock.withLock {
        try checkConflicts(request)
        return try save(request, check, roots, beforeCommit)
      }
    }
  }

  /// Saves models that may have unique values.
  private func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ check: UniquenessCheck,
    _ roots: [ModelDefinition], _ beforeCommit: (() throws -> Void)?
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var stored: [PersistentIdentifier: DefaultSnapshot] = [:]
    var check = check
    var all: [DefaultSnapshot] = []
    for root in roots {
      let filter = ClassFilter(root, store.schema)
      for found in try everything(root.modelType, request.editingState) where filter.takes(found) {
        let snapshot = try Self.standard(found)
        try gate.check(snapshot, root: root)
        all.append(snapshot)
      }
    }
    if !roots.isEmpty { try check.run(stored: all) }
    guard check.violations.isEmpty else {
      throw SwiftDataError.modelValidationFailure.listing(check.violations)
    }
    guard !check.merges.isEmpty else {
      try beforeCommit?()
      return try bridged(request)
    }
    for snapshot in all { stored[snapshot.persistentIdentifier] = snapshot }
    for (definition, identifiers) in SnapshotMerger.related(to: check.merges, in: request, stored) {
      for snapshot in try snapshots(Array(identifiers), definition, request.editingState) {
        stored[snapshot.persistentIdentifier] = snapshot
      }
    }
    var merger = SnapshotMerger(request, check.merges, stored: stored)
    let settled = merger.run()
    guard merger.violations.isEmpty else {
      throw SwiftDataError.modelValidationFailure.listing(merger.violations)
    }
    try beforeCommit?()
    return try merger.result(try bridged(settled), for: settled)
  }

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
