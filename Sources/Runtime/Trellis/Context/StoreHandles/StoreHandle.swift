import Foundation

/// A store as contexts use it. Every call of the library to a store goes through here.
///
/// A store of tables returns rows. A custom store returns snapshots, see `StoreHandle+Snapshots.swift`; one that does not
/// conform to ``ConcurrentDataStore`` is called by one thread at a time.
final class StoreHandle: @unchecked Sendable {  // `lock` serialises the calls to a store that is not Sendable
  let store: any DataStore
  /// The store if it keeps models in tables: contexts leave relationships, uniqueness and unchanged lists to it.
  let sqlStore: (any TableStore)?
  let identifier: String
  let configurationName: String
  let entityNames: Set<String>
  let conflictPolicy: ConflictPolicy
  /// The store if it has a history.
  let history: (any HistoryProviding)?
  /// The unique constraints, which contexts enforce if the store has no tables.
  let plans: UniquePlans
  /// Held during a save of a custom store. Recursive, because a store may use contexts.
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
  /// True if the store records its saves, which then need the values that really differ.
  var recordsHistory: Bool { sqlStore?.recordsHistory ?? (history != nil) }
  /// True if rows come one by one and saves may happen meanwhile.
  var streams: Bool { sqlStore?.streams ?? false }

  func serialised<Result>(_ body: () throws -> Result) rethrows -> Result {
    isSerial ? try lock.withLock(body) : try body()
  }

  // MARK: queries

  // A store throws ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` to leave the rest of
  // the work to the context.

  /// Calls one of two closures for each match, in order: with a row, or with a snapshot.
  ///
  /// - Parameter known: returns true if the row of a key need not be read.
  /// - Returns: the snapshots of other models that came along.
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

  /// The identifiers of the matches, in order.
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

  /// The number of matches.
  func count<T: PersistentModel>(_ query: Query<T>) throws -> Int {
    if let sqlStore { return try sqlStore.count(query) }
    let request = try request(query)
    let count = try serialised { try store.fetchCount(request) }
    return store.appliesFetchOffset ? min(count, query.limit ?? .max) : query.page(count)
  }

  /// Runs several queries that read one state of the database, where the store has a server.
  func readingOneState<Result>(_ body: () throws -> Result) throws -> Result {
    if let sqlStore { try sqlStore.readingOneState(body) } else { try body() }
  }

  /// Calls one of two closures for each of the models that exists, in any order.
  func rows(
    of identifiers: [PersistentIdentifier], _ definition: ModelDefinition, _ editingState: EditingState,
    row: (inout StatementRow) throws -> Void, snapshot: (DefaultSnapshot) throws -> Void
  ) throws {
    if let sqlStore { return try sqlStore.rows(of: identifiers, row: row) }
    try snapshots(identifiers, definition, editingState).forEach(snapshot)
  }

  /// Reads the rows of the given identifiers into a buffer of their values.
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

  /// The transaction of one save, which has not begun.
  ///
  /// - Parameter readsFirst: true if the save reads rows before it writes, or concerns other stores too.
  func makeTransaction(readsFirst: Bool) -> any StoreTransaction {
    sqlStore?.makeTransaction(readsFirst: readsFirst) ?? SnapshotTransaction(self)
  }

  /// - Throws: ``SwiftDataError/loadIssueModelContainer`` for a store that is only read.
  func requireSaving() throws {
    guard !allowsSave else { return }
    throw SwiftDataError.loadIssueModelContainer.explained("the store '\(configurationName)' does not allow saving")
  }

  func erase() throws {
    try requireSaving()
    try serialised { try store.erase() }
  }

  // MARK: history

  /// The transactions that match; nil if the store has no history of that form.
  func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]? {
    try history.flatMap { history in try serialised { try history.history(descriptor) } }
  }

  /// Deletes the transactions that match; false if the store has no history of that form.
  func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool {
    try history.map { history in try serialised { try history.forget(descriptor) } } ?? false
  }
}
