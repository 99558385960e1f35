import Foundation

/// Makes transactions of the rows of a history.
struct HistoryTransactionReader {
  private let store: DefaultStore
  private let connection: Connection

  init(_ store: DefaultStore, _ connection: Connection) {
    self.store = store
    self.connection = connection
  }

  /// The transaction of a row.
  func transaction(_ row: HistoryRow) throws -> DefaultHistoryTransaction {
    let (changes, isComplete) = try changes(row.changes ?? [], of: row.id)
    return columns(row, changes, isComplete: isComplete)
  }

  /// The transaction of a row without its changes.
  func columns(
    _ row: HistoryRow, _ changes: [HistoryChange] = [], isComplete: Bool = true
  ) -> DefaultHistoryTransaction {
    DefaultHistoryTransaction(
      author: row.author, bundleIdentifier: row.program ?? "", processIdentifier: row.process ?? "",
      storeIdentifier: store.identifier, timestamp: Date(timeIntervalSinceReferenceDate: row.time ?? 0),
      changes: changes, isComplete: isComplete, token: store.origin.at(row.id), transactionIdentifier: row.id)
  }

  private func changes(
    _ bytes: [UInt8], of number: Int64
  ) throws -> (changes: [HistoryChange], isComplete: Bool) {
    guard var reader = HistoryReader(bytes) else { throw damaged(number) }
    let isComplete = !reader.flags.contains(.isIncomplete)
    guard let decoder = try store.historyNames.decoder(reader.epoch, store.plans, connection) else {
      throw damaged(number)
    }
    let tombstones = reader.flags.contains(.hasTombstones) ? try TombstoneReader.rows(of: number, connection) : [:]
    var changes: [HistoryChange] = []
    do {
      while let group = try reader.next() {
        try decoder.read(group, of: number, tombstones, into: &changes)
      }
    } catch is HistoryReader.Damage {
      throw damaged(number)
    }
    return (changes, isComplete)
  }

  private func damaged(_ number: Int64) -> SwiftDataError {
    SwiftDataError.invalidTransactionFetchRequest.explained(
      "what the history of store '\(store.name)' says of transaction \(number) cannot be read: forget the "
        + "history up to there with 'deleteHistory'; the models are not concerned",
      path: store.configuration.isStoredInMemoryOnly ? nil : store.configuration.url.path)
  }
}
