import Foundation

/// A store as contexts use it: every call of the library to a store goes through here.
///
/// This class serves stores of tables, and ``SnapshotStoreHandle`` all others. A store that is not `Sendable` is called by
/// one context at a time.
class StoreHandle: @unchecked Sendable {  // `lock` serialises every call to a store that is not Sendable
  let identifier: String
  let configurationName: String
  let entityNames: Set<String>
  let allowsSave: Bool
  /// That of the configuration; set before several threads use the store.
  final var conflictPolicy = ConflictPolicy.overwrite
  /// The store that has the history; nil when there is none.
  final let history: (any HistoryProviding)?
  /// The store, also for handwritten SQL, aggregates and counts of lists; nil if it has no SQL.
  final let sqlStore: (any TableStore)?
  private let lock: NSRecursiveLock?

  /// A handle of a store of tables.
  init(_ store: any TableStore, configurationName: String, entityNames: Set<String>) {
    identifier = store.identifier
    self.configurationName = configurationName
    self.entityNames = entityNames
    allowsSave = store.allowsSave
    history = store
    sqlStore = store
    lock = nil
  }

  /// A handle of a custom store, by a subclass.
  init(
    identifier: String, configurationName: String, entityNames: Set<String>, history: (any HistoryProviding)?,
    isLocked: Bool
  ) {
    self.identifier = identifier
    self.configurationName = configurationName
    self.entityNames = entityNames
    allowsSave = true
    self.history = history
    sqlStore = nil
    lock = isLocked ? NSRecursiveLock() : nil
  }

  final func serialised<Result>(_ body: () throws -> Result) rethrows -> Result {
    beginCall()
    defer { endCall() }
    return try body()
  }

  /// Keeps other contexts from calling a store that is not `Sendable`.
  final func beginCall() { lock?.lock() }
  final func endCall() { lock?.unlock() }

  private var tables: any TableStore {
    get throws {
      guard let sqlStore else { throw DataStoreError.unsupportedFeature }
      return sqlStore
    }
  }

  /// The store itself.
  var object: AnyObject { sqlStore ?? self }

  /// True if the store keeps relationships, uniqueness and unchanged lists by itself and deletes rows by their keys, as
  /// tables do. Other stores may decode snapshots, and saving calls their code, which may use the models of the save.
  final var isRelational: Bool { sqlStore != nil }

  // MARK: queries

  /// Runs several queries that read one state of the database, where the store has a server.
  final func readingOneState<Result>(_ body: () throws -> Result) throws -> Result {
    try sqlStore?.readingOneState(body) ?? body()
  }

  // A store throws ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` to
  // leave the rest of the work to the context.

  /// Makes models of the rows that match.
  func rows<T: PersistentModel>(_ query: Query<T>, into materializer: ModelMaterializer) throws {
    let known = materializer.knowsRows && query.parts == nil ? materializer.receiveKnown : nil
    try tables.rows(query, known: known) { row in try materializer.receive(&row) }
  }

  /// Calls one of two closures for each match: with a row, or with a snapshot.
  func rows<T: PersistentModel>(
    _ query: Query<T>, row: (inout StatementRow) throws -> Void,
    snapshot: (DefaultSnapshot) throws -> Void
  ) throws {
    try tables.rows(query, known: nil, row: row)
  }

  /// The identifiers of the matches, in order.
  func keys<T: PersistentModel>(_ query: Query<T>) throws -> [PersistentIdentifier] { try tables.identifiers(query) }

  /// The number of matches.
  func count<T: PersistentModel>(_ query: Query<T>) throws -> Int { try tables.count(query) }

  /// The rows of the given identifiers, in no particular order; missing ones are left out.
  func load(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition,
    _ editingState: EditingState, _ materializer: ModelMaterializer
  ) throws {
    try tables.rows(of: identifiers) { row in try materializer.receive(&row) }
  }

  /// The rows of the given identifiers into a buffer of their values.
  func read(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition,
    _ editingState: EditingState, into buffer: SnapshotBuffer
  ) throws {
    try tables.rows(of: identifiers) { row in try definition.codec.read(statement: &row, into: buffer) }
  }

  /// The members of a to-many relationship of saved owners; ``ModelMaterializer/lists`` tells whose.
  ///
  /// Returns false when the store cannot answer and the context has to look for them itself.
  final func loadMembers(
    of owners: [PersistentIdentifier], _ definition: ModelDefinition, slot: Int,
    _ editingState: EditingState, _ materializer: ModelMaterializer
  ) throws -> Bool {
    guard let sqlStore else { return false }
    let request = DataStoreRelatedRequest(
      owners: owners, entityName: definition.entityName, slot: slot, editingState: editingState)
    try sqlStore.members(request) { owner, row in try materializer.receive(&row, owner: owner.row ?? 0) }
    return true
  }

  // MARK: changes

  /// The transaction of one save, which has not begun.
  ///
  /// - Parameter readsFirst: true if the save reads rows before it writes, or concerns other stores too.
  func makeTransaction(readsFirst: Bool) throws -> any StoreTransaction {
    try tables.makeTransaction(readsFirst: readsFirst)
  }

  /// Whether the identifiers that inserted models have got can be theirs; before any model has one.
  ///
  /// - Parameter merged: the positions of models that have become others.
  /// - Throws: ``SwiftDataError/invalidStoreAnswer``.
  func check(
    _ permanent: [PersistentIdentifier], of models: [any PersistentModel], merged: Set<Int>,
    in context: ModelContext
  ) throws {}

  /// True if the store records its saves, which then need the values that really differ.
  final var recordsHistory: Bool { sqlStore?.recordsHistory ?? (history != nil) }

  /// The transactions that match; nil when the store has no history of that form.
  final func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]? {
    guard let history else { return nil }
    return try serialised { try history.history(descriptor) }
  }

  /// Forgets the transactions that match; false when the store has no history of that form.
  final func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool {
    guard let history else { return false }
    return try serialised { try history.forget(descriptor) }
  }

  func erase() throws {
    guard allowsSave else { throw SwiftDataError.savingNotAllowed(configurationName) }
    try tables.erase()
  }

  func initializeState(for editingState: EditingState) { sqlStore?.initializeState(for: editingState) }
  func invalidateState(for editingState: EditingState) { sqlStore?.invalidateState(for: editingState) }
}

extension SwiftDataError {
  static func savingNotAllowed(_ configurationName: String) -> SwiftDataError {
    loadIssueModelContainer.explained("the store '\(configurationName)' does not allow saving")
  }
}
