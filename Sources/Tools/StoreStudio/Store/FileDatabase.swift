import CSQLite
import Foundation
import StoreCare
import StoreTransfer
import Trellis

/// A store file.
final class FileDatabase: StudioDatabase {
  private let source: StoreSource
  private let url: URL
  private let stamp: FileStamp?
  private let deadline: Deadline
  /// True after the first change.
  private var hasChanged = false

  /// - Throws: `TransferError` and `CareFailure`.
  init(_ url: URL) throws {
    self.url = url
    source = try StoreSource(url)
    stamp = FileStamp(url.path)
    deadline = Deadline(on: source.connection)
    try RowFilter.prepare(source.connection)
  }

  private var connection: Connection { source.connection }
  var target: TransferTarget { source.target }
  var place: String { source.url.path }
  /// The folder may appear later than the store.
  var files: ExternalFolder { ExternalFolder(ofStore: source.url.path) }

  var isReplaced: Bool {
    let now = FileStamp(url.path)
    return now?.device != stamp?.device || now?.file != stamp?.file
  }

  func version() throws -> String { "\(FileStamp(url.path)?.file ?? 0)-\(try connection.externalVersion())" }

  func size() -> Int64 { FileStamp.size(source.url.path) }

  // MARK: Queries

  var dialect: any SQLDialect { connection.dialect }

  func flags() throws -> ColumnFlags { try connection.flags() }

  func rows(_ query: SQLFragment) throws -> [[SQLValue]] { try connection.rows(query) }

  func read<T>(_ body: () throws -> T) throws -> T { try source.read(body) }

  func run<T>(within limit: Duration, _ body: () throws -> T) throws -> T? {
    try deadline.run(within: limit, body)
  }

  /// Returns a statement before a query's first row.
  func statement(_ query: SQLFragment) throws -> Statement {
    let statement = try Statement(query.text, on: connection.handle, isKept: false)
    try statement.bind(query.values)
    return statement
  }

  func visit(_ query: SQLFragment, _ row: (Statement) throws -> Void) throws {
    let statement = try statement(query)
    while try statement.step() { try row(statement) }
  }

  func plan(of query: SQLFragment) throws -> [String] {
    try rows("EXPLAIN QUERY PLAN \(query)").compactMap { row in
      if case .text(let text) = row.last { text } else { nil }
    }
  }

  // MARK: SQL

  func selection(_ columns: SQLFragment, of entity: EntityLayout) -> SQLFragment { columns }

  func preview(of data: SQLFragment) -> (beginning: SQLFragment, size: SQLFragment)? { nil }

  func parameter(_ value: SQLValue, for column: String, in table: String) -> SQLValue { value }

  func matches(_ value: SQLFragment, _ pattern: String) -> SQLFragment {
    "\(value) LIKE \(value: .text(pattern)) ESCAPE '\\'"
  }

  /// A file stores decimals as texts.
  func number(ofDecimal value: SQLFragment) -> SQLFragment { "CAST(\(value) AS REAL)" }

  func excerpt(of value: SQLFragment, around text: String) -> SQLFragment {
    // The beginning of the excerpt, in characters before the match.
    "substr(\(value), max(1, instr(lower(\(value)), lower(\(value: .text(text)))) - 40), 200)"
  }

  func internalTable(_ name: String) -> String { name }

  func preservedValues(_ transaction: Int64, _ entity: Int, _ key: Int64) throws -> [SQLValue] {
    try rows(
      """
      SELECT \(HistoryTables.values) FROM \(name: HistoryTables.tombstones)
      WHERE "transaction" = \(value: .integer(transaction)) AND "entity" = \(value: .integer(Int64(entity)))
      AND "key" = \(value: .integer(key)) ORDER BY "part"
      """
    ).flatMap { $0 }
  }

  // MARK: Changes

  func requireWritable() throws {
    let folder = source.url.deletingLastPathComponent().path
    for path in [place, folder] where access(path, W_OK) != 0 {
      throw StudioError("\(path) cannot be written: start the studio without '--write'")
    }
    _ = try DefaultStore(ModelConfiguration(schema: target.schema, url: source.url))
    try refuseTriggers()
  }

  /// Foreign triggers would change rows that the studio has not shown.
  private func refuseTriggers() throws {
    let triggers = try CatalogueChecks.foreignTriggers(in: connection, target.catalogue)
    guard let first = triggers.first else { return }
    throw StudioError(
      "the store has \(counted(triggers.count, "trigger")) of other programs, such as '\(first)', which can change any "
        + "row: remove them, or start the studio without '--write'")
  }

  func finish() -> @Sendable () -> Void {
    guard hasChanged else { return {} }
    // The last connection that closes a file moves the log into it.
    return { [target, url = source.url] in
      _ = try? DefaultStore(ModelConfiguration(schema: target.schema, url: url))
    }
  }

  func change<T>(isTrial: Bool, _ body: (any TableStore, any StoreTransaction) throws -> T) throws -> T {
    try refuseTriggers()
    let store = try DefaultStore(ModelConfiguration(schema: target.schema, url: source.url))
    hasChanged = true
    let transaction = store.makeTransaction(readsFirst: true)
    defer { transaction.end() }
    // From now on, no connection can commit, so the snapshot is the state that is changed.
    try transaction.begin()
    return try read {
      do {
        return try body(store, transaction)
      } catch let error as SQLiteError where error.isUniqueViolation {
        // The remaining errors concern the file.
        throw UniqueViolation(message: error.message)
      }
    }
  }

  private struct UniqueViolation: Error { let message: String }

  func uniqueViolation(_ error: any Error) -> String? { (error as? UniqueViolation)?.message }
}
