import Foundation

/// Makes transactions of the rows of a history.
struct HistoryTransactionReader {
  private let store: DefaultStore
  private let connection: Connection

  init(_ store: DefaultStore, _ connection: Connection) {
    self.store = store
    self.connection = connection
  }

  /// The transaction in the current row: number, time, author, program, process, changes.
  func transaction(_ statement: Statement) throws -> DefaultHistoryTransaction {
    let bytes: [UInt8] = if case .blob(let bytes) = statement.value(5) { bytes } else { [] }
    let (changes, isComplete) = try changes(bytes, of: statement.integer(0))
    return columns(statement, changes, isComplete: isComplete)
  }

  /// The transaction in the current row without its changes.
  func columns(
    _ statement: Statement, _ changes: [HistoryChange] = [], isComplete: Bool = true
  ) -> DefaultHistoryTransaction {
    let number = statement.integer(0)
    var time = 0.0
    if case .real(let stored) = statement.value(1) { time = stored }
    return DefaultHistoryTransaction(
      author: statement.text(2), bundleIdentifier: statement.text(3) ?? "",
      processIdentifier: statement.text(4) ?? "", storeIdentifier: store.identifier,
      timestamp: Date(timeIntervalSinceReferenceDate: time), changes: changes, isComplete: isComplete,
      token: store.origin.at(number),
      transactionIdentifier: number)
  }

  private func changes(
    _ bytes: [UInt8], of number: Int64
  ) throws -> (changes: [HistoryChange], isComplete: Bool) {
    guard var reader = HistoryReader(bytes) else { throw damaged(number) }
    let isComplete = !reader.flags.contains(.isIncomplete)
    guard let decoder = try store.historyNames.decoder(reader.epoch, store, connection) else {
      throw damaged(number)
    }
    let tombstones = reader.flags.contains(.hasTombstones) ? try tombstones(of: number) : [:]
    var changes: [HistoryChange] = []
    do {
      while let group = try reader.next() {
        try decoder.read(group, of: number, tombstones, connection, into: &changes)
      }
    } catch is HistoryReader.Damage {
      throw damaged(number)
    }
    return (changes, isComplete)
  }

  /// What was kept of the rows that a transaction deleted.
  private func tombstones(of number: Int64) throws -> [TombstoneReader.Key: [SQLValue]] {
    var values: [TombstoneReader.Key: [SQLValue]] = [:]
    let columns = (0..<HistoryTables.valuesPerRow).map {
      "\(name: HistoryTables.value($0))" as SQLFragment
    }
    let rows = try connection.rows(
      """
      SELECT "entity", "key", \(columns.joined(separator: ", "))
      FROM \(name: HistoryTables.tombstones) WHERE "transaction" = \(value: .integer(number))
      ORDER BY "entity", "key", "part"
      """)
    for row in rows {
      guard case .integer(let entity) = row[0], case .integer(let key) = row[1] else { continue }
      values[TombstoneReader.Key(entity: Int(entity), row: key), default: []] += row.dropFirst(2)
    }
    return values
  }

  private func damaged(_ number: Int64) -> SwiftDataError {
    SwiftDataError.invalidTransactionFetchRequest.explained(
      "what the history of store '\(store.name)' says of transaction \(number) cannot be read: forget the "
        + "history up to there with 'deleteHistory'; the models are not concerned",
      path: store.configuration.isStoredInMemoryOnly ? nil : store.configuration.url.path)
  }
}
