/// A store that keeps models in SQL tables: ``DefaultStore``, and stores in other modules.
///
/// Contexts read its rows instead of snapshots and leave relationships, uniqueness and unchanged lists to the store.
/// Functions correspond to ``StoreHandle`` functions with the same names.
package protocol TableStore: ConcurrentDataStore, HistoryProviding, RowReading {
  var allowsSave: Bool { get }

  // MARK: queries

  /// - Parameter known: Returns true if a key's row need not be read.
  func rows(
    _ query: StoreQuery, known: ((Int64) -> Bool)?, row: (inout StatementRow) throws -> Void
  ) throws
  func identifiers(_ query: StoreQuery) throws -> [PersistentIdentifier]
  func count(_ query: StoreQuery) throws -> Int
  func explain(_ query: StoreQuery) throws -> StoreExplanation
  /// Runs a handwritten query in a read transaction. Calls `row` with each row and the column names.
  func rows(_ query: SQLQuery, row: (inout StatementRow, [String]) throws -> Void) throws
  /// Returns the statement with the database's query plan.
  func explain(_ query: SQLQuery) throws -> (sql: SQLFragment, plan: [String])
  /// Runs a SELECT on a query's rows; returns false if the context must compute the result. `row` may have been called
  /// in that case.
  func summarize(
    _ query: StoreQuery, select: (inout Translation) throws -> AggregateSelect,
    row: (inout StatementRow) throws -> Void
  ) throws -> Bool
  func countMembers(_ request: DataStoreRelatedRequest, isExistence: Bool) throws -> [Int]

  // MARK: rows by identifier

  /// Runs several queries on the same database state if the store uses a server.
  func readingOneState<Result>(_ body: () throws -> Result) throws -> Result
  func visitRelatedRows(
    of rows: [Int64], _ definition: ModelDefinition, _ relation: Relation, _ body: (RelatedRow) throws -> Void
  ) throws

  // MARK: changes

  func makeTransaction(readsFirst: Bool) -> any StoreTransaction
  var recordsHistory: Bool { get }
  var streams: Bool { get }
  func write(
    _ definition: ModelDefinition, isUpsert: Bool, _ progress: BatchProgress, _ editingState: EditingState,
    _ body: BatchBody
  ) throws -> BatchOutcome?
  func historyReach() throws -> HistoryReach?
  /// Returns a monitor for concurrent commits; `nil` if the store has none.
  func makeCommitMonitor() -> (any CommitMonitor)?
}

extension DefaultStore: TableStore {
  package var allowsSave: Bool { configuration.allowsSave }
  package var recordsHistory: Bool { history != nil }
  package var streams: Bool { pool.streams }
  package func makeCommitMonitor() -> (any CommitMonitor)? { FileCommitMonitor(self) }
  package func readingOneState<Result>(_ body: () throws -> Result) throws -> Result { try body() }
}
