import Foundation

/// A context's interface to a store. All calls from the library to a store go through this class.
///
/// A table store returns rows. A custom store returns snapshots, see `StoreHandle+Snapshots.swift`; unless it conforms
/// to ``ConcurrentDataStore``, it is called by a single thread at a time.
final class StoreHandle: @unchecked Sendable {  // `lock` serializes calls to stores that are not concurrent
  let store: any DataStore
  /// The store, if it is a table store. Contexts delegate relationships, uniqueness and unchanged lists to it.
  let sqlStore: (any TableStore)?
  let identifier: String
  let configurationName: String
  let entityNames: Set<String>
  let conflictPolicy: ConflictPolicy
  /// The store, if it records a history.
  let history: (any HistoryProviding)?
  /// The unique constraints. Contexts enforce them if the store has no tables.
  let plans: UniquePlans
  /// Locked during saves in a custom store. Recursive, because a store may use contexts.
  let lock = NSRecursiveLock()
  private let isSerial: Bool

  init(_ store: any DataStore, _ configuration: any DataStoreConfiguration, entityNames: some Sequence<String>) {
    self.store = store
    self.entityNames = Set(entityNames)
    sqlStore = store as? any TableStore
    history = store as? any HistoryProviding
    isSerial = !(store is any ConcurrentDataStore)
    identifier = store.identifier
    configurationName = configuration.name
    conflictPolicy = configuration.conflictPolicy
    plans = UniquePlans(store.schema)
  }

  var isRelational: Bool { sqlStore != nil }
  var allowsSave: Bool { sqlStore?.allowsSave ?? true }
  /// True if the store records saves in a history. Saves must then determine the values that actually differ.
  var recordsHistory: Bool { sqlStore?.recordsHistory ?? (history != nil) }
  /// True if rows are read one by one, even during concurrent saves.
  var streams: Bool { sqlStore?.streams ?? false }

  func serialised<Result>(_ body: () throws -> Result) rethrows -> Result {
    isSerial ? try lock.withLock(body) : try body()
  }

  // MARK: queries

  // A store throws ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` to leave the
  // remaining work to the context.

  /// Calls a closure with each matching row or snapshot, in order.
  ///
  /// - Parameter known: Returns true if the row with a key need not be read.
  /// - Returns: Snapshots of additional models in the result.
  @discardableResult func rows<T: PersistentModel>(
    _ query: Query<T>, known: ((Int64) -> Bool)? = nil, row: (inout StatementRow) throws -> Void,
    snapshot: (DefaultSnapshot) throws -> Void
  ) throws -> [DefaultSnapshot] {
    if let sqlStore {
      try sqlStore.rows(query, known: known, row: row)
      return []
    }
    let (matches, related) = try snapshots(query)
    try matches.forEach(snapshot)
    return related
  }

  /// Returns the identifiers of the matches, in order.
  func keys<T: PersistentModel>(_ query: Query<T>) throws -> [PersistentIdentifier] {
    if let sqlStore { return try sqlStore.identifiers(query) }
    let request = try request(query)
    let found = try serialised { try store.fetchIdentifiers(request) }
    let filter = ClassFilter(T._$definition, store.schema)
    var seen = Set<PersistentIdentifier>()
    return page(
      try found.filter { identifier in
        guard filter.mayTake(identifier) else { return false }
        try check(identifier)
        return seen.insert(identifier).inserted
      }, of: query)
  }

  /// Returns the number of matches.
  func count<T: PersistentModel>(_ query: Query<T>) throws -> Int {
    if let sqlStore { return try sqlStore.count(query) }
    let request = try request(query)
    let count = try serialised { try store.fetchCount(request) }
    return store.appliesFetchOffset ? min(count, query.limit ?? .max) : query.page(count)
  }

  /// Runs several queries on a consistent database state, if the store uses a server.
  func readingOneState<Result>(_ body: () throws -> Result) throws -> Result {
    if let sqlStore { try sqlStore.readingOneState(body) } else { try body() }
  }

  /// Calls a closure with each existing row or snapshot, in any order.
  func rows(
    of identifiers: [PersistentIdentifier], _ definition: ModelDefinition, _ editingState: EditingState,
    row: (inout StatementRow) throws -> Void, snapshot: (DefaultSnapshot) throws -> Void
  ) throws {
    if let sqlStore { return try sqlStore.rows(of: identifiers, row: row) }
    try snapshots(identifiers, definition, editingState).forEach(snapshot)
  }

  /// Reads the rows with the given identifiers into a buffer.
  func read(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition, _ editingState: EditingState,
    into buffer: SnapshotBuffer
  ) throws {
    try rows(of: identifiers, definition, editingState) { row in
      try definition.codec.read(statement: &row, into: buffer)
    } snapshot: { snapshot in
      guard snapshot.buffer.definition === buffer.definition else {
        throw misfit(snapshot, of: definition.entityName)
      }
      buffer.append(snapshot.buffer, snapshot.index)
    }
  }

  // MARK: changes

  /// Creates the transaction for a save. The transaction has not begun.
  ///
  /// - Parameter readsFirst: True if the save reads rows before writing or involves several stores.
  func makeTransaction(readsFirst: Bool) -> any StoreTransaction {
    sqlStore?.makeTransaction(readsFirst: readsFirst) ?? SnapshotTransaction(self)
  }

  /// - Throws: ``SwiftDataError/loadIssueModelContainer`` if the store is read-only.
  func requireSaving() throws {
    guard !allowsSave else { return }
    throw SwiftDataError.opening(
      .notWritable, "the store '\(configurationName)' does not allow saving: 'allowsSave' is false", path: nil)
  }

  func erase() throws {
    try requireSaving()
    try serialised { try store.erase() }
  }

  // MARK: history

  /// Returns the matching history transactions, or `nil` if the store has no history of this type.
  func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]? {
    try history.flatMap { history in try serialised { try history.history(descriptor) } }
  }

  /// Deletes the matching history transactions. Returns false if the store has no history of this type.
  func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool {
    try history.map { history in try serialised { try history.forget(descriptor) } } ?? false
  }
}
