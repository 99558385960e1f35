import CSQLite
import Foundation
import Synchronization

/// Writes a store's history: a single row per transaction, inside that transaction.
package final class HistoryLog: Sendable {
  /// The number of the schema version in ``HistoryTables/names``.
  let epoch: Int
  /// How many transactions the store keeps; `nil` for all.
  package let limit: HistoryLimit?
  private let numbers: [ObjectIdentifier: Int]
  private let roots: [Int]
  /// Finds the lists that lose members when rows are deleted.
  package let partners: ListPartners
  /// The transactions that this store object wrote, as opposed to other containers and processes.
  let own = OwnTransactions()

  package init(
    _ catalogue: StoreCatalogue, epoch: Int64, retaining limit: HistoryLimit?,
    dialect: any SQLDialect = SQLiteDialect()
  ) {
    self.epoch = Int(epoch)
    self.limit = limit
    let entities = HistoryNames.ordered(catalogue.layout)
    var numbers: [ObjectIdentifier: Int] = [:]
    var byName: [String: Int] = [:]
    for (number, entity) in entities.enumerated() {
      numbers[ObjectIdentifier(entity.definition)] = number
      byName[entity.name] = number
    }
    self.numbers = numbers
    partners = ListPartners(catalogue.layout, dialect)
    roots = entities.enumerated().map { byName[$1.rootName] ?? $0 }
  }

  /// Returns an entity's number.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` if the entity belongs to a different catalogue.
  package func number(of entity: EntityLayout) throws -> Int {
    if let number = numbers[ObjectIdentifier(entity.definition)] { return number }
    throw SwiftDataError.unknownSchema.explained(
      "'\(entity.name)' does not belong to the models with which the store's history was opened")
  }

  /// The app and process that write to the store.
  package static let program =
    Bundle.main.bundleIdentifier
    ?? CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
  package static let process = String(ProcessInfo.processInfo.processIdentifier)

  /// Encodes a transaction's changes; `nil` if nothing was changed.
  ///
  /// - Parameters:
  ///   - record: The changes; `nil` for an unrecorded transaction, so that readers learn that changes are missing.
  ///   - hasTombstones: True if the transaction has tombstones.
  package func changes(_ record: HistoryRecord?, hasTombstones: Bool = false) -> [UInt8]? {
    guard var record else { return Self.unknownChanges(epoch: epoch) }
    let groups = record.settled { roots[$0] }
    guard !groups.isEmpty else { return nil }
    var writer = HistoryWriter(epoch: epoch, hasTombstones ? .hasTombstones : [])
    for group in groups { writer.write(group) }
    return writer.bytes
  }

  /// Encodes a transaction that changed rows while history was off.
  package static func unknownChanges(epoch: Int) -> [UInt8] { HistoryWriter(epoch: epoch, .isIncomplete).bytes }

  /// Writes a transaction's row.
  ///
  /// - Parameter id: The number used in the tombstones; `nil` if there are none.
  /// - Returns: The transaction number.
  func write(_ changes: [UInt8], author: String?, id: Int64?, _ connection: Connection) throws -> Int64 {
    let number = try Self.write(changes, author: author, id: id, connection)
    own.begin(number)
    if let limit { try prune(to: limit, after: number, connection) }
    return number
  }

  static func write(
    _ changes: [UInt8], author: String? = nil, id: Int64? = nil, _ connection: Connection
  ) throws -> Int64 {
    let statement = try connection.take(insertion)
    defer { connection.checkIn(statement) }
    // In column order.
    try statement.bind([
      id.map { .integer($0) } ?? .null, .real(Date.timeIntervalSinceReferenceDate), author.map { .text($0) } ?? .null,
      .text(program), .text(process), .blob(changes),
    ])
    do {
      try statement.run()
    } catch let error as SQLiteError where error.code.rawValue == SQLITE_MISMATCH {
      // The highest number has no successor.
      throw HistoryTables.exhausted(connection)
    }
    let number = sqlite3_last_insert_rowid(connection.handle)
    guard number < .max else { throw HistoryTables.exhausted(connection) }
    return number
  }

  // If the highest number were taken, SQLite itself would choose an unused lower number.
  private static let insertion: NumberedText = {
    let text: SQLFragment = """
      INSERT INTO \(name: HistoryTables.transactions) (\(HistoryTables.columns))
      VALUES (ifnull(?1, max(0, (SELECT max("id") FROM \(name: HistoryTables.transactions))) + 1), ?2, ?3, ?4, ?5, ?6)
      """
    return NumberedText(text.text)
  }()

  /// Writes a transaction that marks rows as changed while history was off.
  static func recordGap(epoch: Int64, _ connection: Connection) throws -> Int64 {
    try write(unknownChanges(epoch: Int(epoch)), connection)
  }
}

/// How many transactions a store keeps.
package enum HistoryLimit: Sendable {
  /// Transactions up to a maximum age in seconds.
  case seconds(Double)
  /// The newest transactions, at least 1.
  case transactions(Int64)
}

/// Deleting transactions.
extension HistoryLog {
  /// How many transactions pass between checks for expired transactions.
  private static let interval: Int64 = 64
  /// The maximum number of transactions to delete at a time.
  private static let portion = 1_024

  /// Deletes some of the oldest transactions that exceed the limit.
  ///
  /// - Parameter last: The last transaction number.
  private func prune(to limit: HistoryLimit, after last: Int64, _ connection: Connection) throws {
    guard last % Self.interval == 0 else { return }
    let isOld: SQLFragment =
      switch limit {
      case .transactions(let count): "\"id\" <= \(value: .integer(last - count))"
      case .seconds(let age): Self.isOlder(than: age, last)
      }
    let end = try connection.integers(
      """
      SELECT max("id") FROM (SELECT "id", "time" FROM \(name: HistoryTables.transactions)
      WHERE "id" < \(value: .integer(last)) ORDER BY "id" LIMIT \(number: Self.portion))
      WHERE \(isOld)
      """
    ).first
    if let end, end > 0 { try Self.forget([RowRuns.Run(first: .min, end: end + 1)], connection) }
  }

  /// Returns a condition for transactions before the first recent transaction. Recorded times may be wrong.
  private static func isOlder(than age: Double, _ last: Int64) -> SQLFragment {
    let now = Date.timeIntervalSinceReferenceDate
    return """
      "time" < \(value: .real(now - age)) AND "id" < ifnull((SELECT "id" FROM \(name: HistoryTables.transactions)
      WHERE "time" BETWEEN \(value: .real(now - age)) AND \(value: .real(now)) ORDER BY "id" LIMIT 1),
      \(value: .integer(last)))
      """
  }

  /// Deletes transactions by number, in ascending order.
  static func forget(_ runs: [RowRuns.Run], _ connection: Connection) throws {
    guard let end = runs.last?.end else { return }
    let last = try HistoryTables.last(connection)
    for run in runs {
      let range: SQLFragment = "BETWEEN \(value: .integer(run.first)) AND \(value: .integer(run.end - 1))"
      // The last row is kept to reserve the number.
      try connection.executeCached(
        """
        DELETE FROM \(name: HistoryTables.transactions) WHERE "id" \(range) AND "id" < \(value: .integer(last))
        """)
      try connection.executeCached("DELETE FROM \(name: HistoryTables.tombstones) WHERE \"transaction\" \(range)")
    }
    if end > last {
      try connection.executeCached(
        """
        UPDATE \(name: HistoryTables.transactions) SET "changes" = NULL, "author" = NULL
        WHERE "id" = \(value: .integer(last))
        """)
    }
    try raiseFloor(to: end - 1, connection)
  }

  /// Returns the position before which tokens have expired.
  static func floor(_ connection: Connection) throws -> Int64 {
    let found = try connection.rows(
      """
      SELECT "value" FROM \(name: StoreCatalogue.metadataTable)
      WHERE "key" = \(value: .text(StoreMetadata.Key.historyFloor))
      """)
    guard case .integer(let floor)? = found.first?.first else { return 0 }
    return floor
  }

  static func raiseFloor(to position: Int64, _ connection: Connection) throws {
    guard try position > floor(connection) else { return }
    try StoreMetadata.write(.integer(position), for: StoreMetadata.Key.historyFloor, connection)
  }

  /// Deletes all transactions. Older tokens expire.
  static func forgetAll(_ connection: Connection) throws {
    // Writing a new number expires every earlier position.
    let number = try write([], connection)
    try forget([RowRuns.Run(first: .min, end: number + 1)], connection)
  }
}

/// Numbers of the transactions that a store wrote itself.
final class OwnTransactions: Sendable {
  private struct State {
    var written = RowRuns()
    /// A written transaction that may not be committed yet.
    var pending: Int64?
  }

  private let state = Mutex(State())
  /// The minimum number of runs to keep, for callers with an old position.
  private static let limit = 4_096

  func begin(_ number: Int64) { state.withLock { $0.pending = number } }

  /// Called when the transaction ends.
  func end(isCommitted: Bool) {
    state.withLock { state in
      if isCommitted, let number = state.pending { state.written.append(number) }
      if state.written.complete.count > 2 * Self.limit { state.written.removeFirst(Self.limit) }
      state.pending = nil
    }
  }

  /// Returns true if this store wrote every transaction in a range.
  func contains(_ range: ClosedRange<Int64>) -> Bool {
    state.withLock { state in
      let run = state.written.run(endingAfter: range.lowerBound)
      return (run.contains(range.lowerBound) && run.contains(range.upperBound))
        || state.pending.map { range == $0...$0 } == true
    }
  }
}
