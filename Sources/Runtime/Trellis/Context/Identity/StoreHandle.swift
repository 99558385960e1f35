import Foundation

/// A store of any type as contexts use it: every call of the library to a store goes through here.
///
/// Subclasses know the store's type. A store that is not `Sendable` is called by one context at a
/// time.
class StoreHandle: @unchecked Sendable {  // `lock` serialises every call to a store that is not Sendable
  let identifier: String
  let configurationName: String
  let entityNames: Set<String>
  let allowsSave: Bool
  /// That of the configuration; set before several threads use the store.
  final var conflictPolicy = ConflictPolicy.overwrite
  /// The store that has the history; nil when there is none.
  final let history: (any HistoryProviding)?
  private let lock: NSRecursiveLock?

  init(
    identifier: String, configurationName: String, entityNames: Set<String>, allowsSave: Bool,
    history: (any HistoryProviding)?, isLocked: Bool
  ) {
    self.identifier = identifier
    self.configurationName = configurationName
    self.entityNames = entityNames
    self.allowsSave = allowsSave
    self.history = history
    self.lock = isLocked ? NSRecursiveLock() : nil
  }

  final func serialised<Result>(_ body: () throws -> Result) rethrows -> Result {
    beginCall()
    defer { endCall() }
    return try body()
  }

  /// Keeps other contexts from calling a store that is not `Sendable`.
  final func beginCall() { lock?.lock() }
  final func endCall() { lock?.unlock() }

  /// The store itself.
  var object: AnyObject { self }

  /// The store for handwritten SQL, aggregates and counts of lists; nil if it has no SQL.
  var sqlStore: (any TableStore)? { nil }

  /// Whether the store may make snapshots from what it has encoded, for which it needs the schema of
  /// the container.
  var decodesSnapshots: Bool { true }

  /// True if saving calls code of a custom store, which may use the models of the save.
  var savesByForeignCode: Bool { true }

  /// Whether the store keeps relationships, uniqueness and unchanged lists by itself, as tables do.
  var isRelational: Bool { false }

  // MARK: queries

  /// Runs several queries that read one state of the database, where the store has a server.
  func readingOneState<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  // A store throws ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` to
  // leave the rest of the work to the context.

  /// Makes models of the rows that match.
  func rows<T: PersistentModel>(_ query: Query<T>, into materializer: ModelMaterializer) throws {}

  /// Calls one of two closures for each match: with a row, or with a snapshot.
  func rows<T: PersistentModel>(
    _ query: Query<T>, row: (inout StatementRow) throws -> Void,
    snapshot: (DefaultSnapshot) throws -> Void
  ) throws {}

  /// The identifiers of the matches, in order.
  func keys<T: PersistentModel>(_ query: Query<T>) throws -> [PersistentIdentifier] { [] }

  /// The number of matches.
  func count<T: PersistentModel>(_ query: Query<T>) throws -> Int { 0 }

  /// The statement of a query; nil when the store does not explain itself.
  func explain<T: PersistentModel>(_ query: Query<T>) throws -> StoreExplanation? { nil }

  /// The rows of the given identifiers, in no particular order; missing ones are left out.
  func load(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition,
    _ editingState: EditingState, _ materializer: ModelMaterializer
  ) throws {}

  /// The members of a to-many relationship of saved owners; ``ModelMaterializer/lists`` tells whose.
  ///
  /// Returns false when the store cannot answer and the context has to look for them itself.
  func loadMembers(
    of owners: [PersistentIdentifier], _ definition: ModelDefinition, slot: Int,
    _ editingState: EditingState, _ materializer: ModelMaterializer
  ) throws -> Bool { false }

  /// The rows of the given identifiers into a buffer of their values.
  func read(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition,
    _ editingState: EditingState, into buffer: SnapshotBuffer
  ) throws {}

  /// Whether the store deletes rows by their keys alone: ``DataStoreSaveChangesRequest/deletedRows``.
  var deletesRows: Bool { false }

  /// The rows at the other end of a relationship of saved rows; of stores that delete rows by key.
  func visitRelatedRows(
    of rows: [Int64], _ definition: ModelDefinition, _ relation: Relation,
    _ body: (RelatedRow) throws -> Void
  ) throws {}

  /// The transaction of one save, which has not begun.
  ///
  /// - Parameter readsFirst: true if the save reads rows before it writes, or concerns other stores too.
  func makeTransaction(readsFirst: Bool) throws -> any StoreTransaction { throw DataStoreError.unsupportedFeature }

  /// Whether the identifiers that inserted models have got can be theirs; before any model has one.
  ///
  /// - Parameter merged: the positions of models that have become others.
  /// - Throws: ``SwiftDataError/invalidStoreAnswer``.
  func check(
    _ permanent: [PersistentIdentifier], of models: [any PersistentModel], merged: Set<Int>,
    in context: ModelContext
  ) throws {}

  /// True if the store records its saves, which then need the values that really differ.
  var recordsHistory: Bool { false }

  /// Whether rows come one by one and saves may happen meanwhile.
  var streams: Bool { false }

  /// Writes snapshots into tables in one transaction; nil if the store takes models. Unless ``BatchProgress/isRepeatable``,
  /// it has not called `body` then.
  func write(
    _ definition: ModelDefinition, isUpsert: Bool, _ progress: BatchProgress,
    _ editingState: EditingState, _ body: BatchBody
  ) throws -> BatchOutcome? { nil }

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

  /// What there is of the history; nil when it is not the library's own.
  func historyReach() throws -> HistoryReach? { nil }

  /// Finds the commits of others; nil if the store has no others, or does not tell.
  func makeCommitMonitor() -> (any CommitMonitor)? { nil }

  func erase() throws {}
  func initializeState(for editingState: EditingState) {}
  func invalidateState(for editingState: EditingState) {}
}
