import Foundation

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
  func prune(to limit: HistoryLimit, after last: Int64, _ connection: Connection) throws {
    guard last % Self.interval == 0 else { return }
    let oldest = try connection.rows(
      """
      SELECT "id", "time" FROM \(name: HistoryTables.transactions) ORDER BY "id"
      LIMIT \(number: Self.portion)
      """)
    var end: Int64?
    switch limit {
    case .transactions(let count):
      let first = last - count + 1
      for row in oldest { if case .integer(let id) = row[0], id < first { end = id } }
    case .seconds(let age):
      let now = Date.timeIntervalSinceReferenceDate
      for row in oldest {
        guard case .integer(let id) = row[0], case .real(let time) = row[1] else { break }
        // What a clock says that was wrong then keeps nothing that comes after it.
        if time > now { continue }
        guard time < now - age else { break }
        end = id
      }
    }
    guard let end = end.map({ min($0, last - 1) }), end > 0 else { return }
    try Self.forget(through: end, connection)
  }

  private static func forget(through end: Int64, _ connection: Connection) throws {
    try connection.executeCached(
      "DELETE FROM \(name: HistoryTables.transactions) WHERE \"id\" <= \(value: .integer(end))")
    try connection.executeCached(
      "DELETE FROM \(name: HistoryTables.tombstones) WHERE \"transaction\" <= \(value: .integer(end))")
    try raiseFloor(to: end, connection)
  }

  /// Forgets transactions by number, in ascending order.
  static func forget(_ numbers: [Int64], _ connection: Connection) throws {
    guard let highest = numbers.last else { return }
    let last = try HistoryTables.last(connection)
    var runs = RowRuns()
    for number in numbers { runs.append(number) }
    for run in runs.runs {
      let (first, end) = (SQLValue.integer(run.first), SQLValue.integer(run.end - 1))
      // The last row stays as the place of its number.
      try connection.executeCached(
        """
        DELETE FROM \(name: HistoryTables.transactions)
        WHERE "id" BETWEEN \(value: first) AND \(value: end) AND "id" < \(value: .integer(last))
        """)
      try connection.executeCached(
        """
        DELETE FROM \(name: HistoryTables.tombstones)
        WHERE "transaction" BETWEEN \(value: first) AND \(value: end)
        """)
    }
    if highest == last {
      try connection.executeCached(
        """
        UPDATE \(name: HistoryTables.transactions) SET "changes" = NULL, "author" = NULL
        WHERE "id" = \(value: .integer(last))
        """)
    }
    try raiseFloor(to: highest, connection)
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
    let number = try write([], author: nil, id: nil, connection)
    try connection.execute(
      "DELETE FROM \(name: HistoryTables.transactions) WHERE \"id\" < \(value: .integer(number))")
    try connection.execute(
      """
      UPDATE \(name: HistoryTables.transactions) SET "changes" = NULL
      WHERE "id" = \(value: .integer(number))
      """)
    try connection.execute("DELETE FROM \(name: HistoryTables.tombstones)")
    try raiseFloor(to: number, connection)
  }
}
