import CSQLite
import Foundation
import Synchronization

/// Writes the history of one store: a row a transaction, inside it.
package final class HistoryLog: Sendable {
  /// Names the version of the schema in ``HistoryTables/names``.
  let epoch: Int
  /// The transactions that the store keeps; nil for all.
  package let limit: HistoryLimit?
  private let numbers: [ObjectIdentifier: Int]
  private let roots: [Int]
  /// Whose lists deleted rows leave.
  package let partners: ListPartners
  /// The transactions this store has written, so that others can be distinguished from them.
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

  /// The number of an entity of the store.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` for an entity of another catalogue.
  package func number(of entity: EntityLayout) throws -> Int {
    if let number = numbers[ObjectIdentifier(entity.definition)] { return number }
    throw SwiftDataError.unknownSchema.explained(
      "'\(entity.name)' is not one of the models the history of the store was opened with")
  }

  /// Who writes: the program and the process.
  package static let program =
    Bundle.main.bundleIdentifier
    ?? CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
  package static let process = String(ProcessInfo.processInfo.processIdentifier)

  /// The coded changes of a transaction; nil if nothing was changed.
  ///
  /// - Parameters:
  ///   - record: the changes; nil for a transaction that records none, so that readers learn that changes are missing.
  ///   - hasTombstones: true if tombstones refer to the transaction.
  package func changes(_ record: HistoryRecord?, hasTombstones: Bool = false) -> [UInt8]? {
    guard var record else { return Self.unknownChanges(epoch: epoch) }
    let groups = record.settled { roots[$0] }
    guard !groups.isEmpty else { return nil }
    var writer = HistoryWriter(epoch: epoch, hasTombstones ? .hasTombstones : [])
    for group in groups { writer.write(group) }
    return writer.bytes
  }

  /// The coded changes of a transaction that has changed rows without history.
  package static func unknownChanges(epoch: Int) -> [UInt8] { HistoryWriter(epoch: epoch, .isIncomplete).bytes }

  /// Writes the row of a transaction.
  ///
  /// - Parameter id: the number that its tombstones have; nil if there are no tombstones.
  /// - Returns: the number of the transaction.
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
    defer { connection.giveBack(statement) }
    // In the order of the columns.
    try statement.bind([
      id.map { .integer($0) } ?? .null, .real(Date.timeIntervalSinceReferenceDate), author.map { .text($0) } ?? .null,
      .text(program), .text(process), .blob(changes),
    ])
    do {
      try statement.run()
    } catch let error as SQLiteError where error.code.rawValue == SQLITE_MISMATCH {
      // The number after the highest is none.
      throw HistoryTables.exhausted(connection)
    }
    let number = sqlite3_last_insert_rowid(connection.handle)
    guard number < .max else { throw HistoryTables.exhausted(connection) }
    return number
  }

  // After the highest number SQLite itself would continue with any lower one that is free.
  private static let insertion: NumberedText = {
    let text: SQLFragment = """
      INSERT INTO \(name: HistoryTables.transactions) (\(HistoryTables.columns))
      VALUES (ifnull(?1, max(0, (SELECT max("id") FROM \(name: HistoryTables.transactions))) + 1), ?2, ?3, ?4, ?5, ?6)
      """
    return NumberedText(text.text)
  }()

  /// Writes a transaction without changes, which says that rows were changed without history.
  static func noteGap(epoch: Int64, _ connection: Connection) throws -> Int64 {
    try write(unknownChanges(epoch: Int(epoch)), connection)
  }
}

/// The transactions that a store keeps.
package enum HistoryLimit: Sendable {
  /// Those that are no older.
  case seconds(Double)
  /// A number of the newest, at least 1.
  case transactions(Int64)
}

/// Deletes transactions.
extension HistoryLog {
  /// How often a store that keeps part of its history looks for what it need not keep.
  private static let interval: Int64 = 64
  /// How many transactions it forgets at a time.
  private static let portion = 1_024

  /// Deletes some of the oldest transactions beyond a limit.
  ///
  /// - Parameter last: the number of the last transaction.
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

  /// A condition for transactions before the first recent one. Times may be wrong in both directions.
  private static func isOlder(than age: Double, _ last: Int64) -> SQLFragment {
    let now = Date.timeIntervalSinceReferenceDate
    return """
      "time" < \(value: .real(now - age)) AND "id" < ifnull((SELECT "id" FROM \(name: HistoryTables.transactions)
      WHERE "time" BETWEEN \(value: .real(now - age)) AND \(value: .real(now)) ORDER BY "id" LIMIT 1),
      \(value: .integer(last)))
      """
  }

  /// Forgets transactions by number, in ascending order.
  static func forget(_ runs: [RowRuns.Run], _ connection: Connection) throws {
    guard let end = runs.last?.end else { return }
    let last = try HistoryTables.last(connection)
    for run in runs {
      let range: SQLFragment = "BETWEEN \(value: .integer(run.first)) AND \(value: .integer(run.end - 1))"
      // The last row stays as the place of its number.
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

  /// Tokens of positions before this one are expired.
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

  /// Deletes all transactions. Older tokens are expired afterwards.
  static func forgetAll(_ connection: Connection) throws {
    // The new number makes every earlier position an expired one.
    let number = try write([], connection)
    try forget([RowRuns.Run(first: .min, end: number + 1)], connection)
  }
}

/// The numbers of the transactions that a store has written itself.
final class OwnTransactions: Sendable {
  private struct State {
    var written = RowRuns()
    /// Written, and not yet known to be committed.
    var pending: Int64?
  }

  private let state = Mutex(State())
  /// The minimum number of runs that are kept, for callers with an old position.
  private static let limit = 4_096

  func begin(_ number: Int64) { state.withLock { $0.pending = number } }

  /// The transaction has ended.
  func end(isCommitted: Bool) {
    state.withLock { state in
      if isCommitted, let number = state.pending { state.written.append(number) }
      if state.written.complete.count > 2 * Self.limit { state.written.removeFirst(Self.limit) }
      state.pending = nil
    }
  }

  /// True if all transactions of a range are of this store.
  func contains(_ range: ClosedRange<Int64>) -> Bool {
    state.withLock { state in
      let run = state.written.run(endingAfter: range.lowerBound)
      return (run.contains(range.lowerBound) && run.contains(range.upperBound))
        || state.pending.map { range == $0...$0 } == true
    }
  }
}
