import Foundation

/// A table store's history, read from a single database state.
package protocol HistorySource {
  /// The store identifier.
  var identifier: String { get }
  /// The store's name and path for error messages.
  var place: (store: String, path: String?) { get }
  /// Calls `body` for each transaction within the query's bounds, in query order, until it returns false.
  func visitRows(_ query: HistoryQuery, _ body: (HistoryRow) throws -> Bool) throws
  /// Returns a transaction's position, which determines whether a reader has already read it.
  func position(of row: HistoryRow) -> HistoryPosition
  /// Returns the token for the position after a transaction.
  func token(of row: HistoryRow) -> DefaultHistoryToken
  /// Returns true if this store wrote the transaction.
  func isOwn(_ row: HistoryRow) -> Bool
  /// Returns the decoder for a schema version; `nil` if the store has not recorded the names.
  func decoder(_ epoch: Int) throws -> HistoryDecoder?
  /// Returns preserved values of the rows that a transaction deleted.
  func tombstones(of row: HistoryRow) throws -> HistoryDecoder.Tombstones
}

extension HistorySource {
  /// Returns the transactions that match a query.
  ///
  /// - Parameter isForgetting: True to skip decoding changes that the query does not read, because they may be
  ///   damaged.
  package func transactions(_ query: HistoryQuery, isForgetting: Bool = false) throws -> [DefaultHistoryTransaction] {
    let filter = query.descriptor.predicate.map { MemoryFilter($0) }
    var found: [DefaultHistoryTransaction] = []
    try visitRows(query) { row in
      var transaction = DefaultHistoryTransaction(
        author: row.author, bundleIdentifier: row.program ?? "", processIdentifier: row.process ?? "",
        storeIdentifier: identifier, timestamp: Date(timeIntervalSinceReferenceDate: row.time),
        token: token(of: row), transactionIdentifier: row.id)
      if query.readsChanges { try readChanges(of: row, into: &transaction) }
      if let filter {
        var judged = transaction
        judged.token = DefaultHistoryToken(store: identifier, position: position(of: row))
        guard try filter.matches(judged) else { return true }
      }
      if !query.readsChanges, !isForgetting { try readChanges(of: row, into: &transaction) }
      found.append(transaction)
      return !query.isSorted || found.count < query.limit
    }
    guard !query.isSorted else { return found }
    found.sort(by: query.descriptor.sortBy)
    return Array(found.prefix(query.limit))
  }

  private func readChanges(of row: HistoryRow, into transaction: inout DefaultHistoryTransaction) throws {
    guard var reader = HistoryReader(row.changes ?? []), let decoder = try decoder(reader.epoch) else {
      throw damagedTransaction(row.id)
    }
    transaction.isComplete = !reader.flags.contains(.isIncomplete)
    let tombstones = reader.flags.contains(.hasTombstones) ? try self.tombstones(of: row) : [:]
    do {
      transaction.changes = try decoder.changes(&reader, of: row.id, tombstones)
    } catch is HistoryReader.Damage {
      throw damagedTransaction(row.id)
    }
  }

  private func damagedTransaction(_ number: Int64) -> SwiftDataError {
    SwiftDataError.invalidTransactionFetchRequest.explained(
      "transaction \(number) in the history of store '\(place.store)' cannot be read: delete the history up to this "
        + "transaction with 'deleteHistory'; models are not affected", path: place.path)
  }

  /// Returns the error for a token after which the history is incomplete.
  package func expired(_ reason: String) -> SwiftDataError {
    SwiftDataError.historyTokenExpired.explained(
      "\(reason): read the models again, and continue from 'history.latestToken()'", path: place.path)
  }
}

extension Array {
  /// Sorts the elements by the descriptors. The sort is stable.
  package mutating func sort(by descriptors: [SortDescriptor<Element>]) {
    let comparators = descriptors.map(\.settled)
    let sorted = enumerated().sorted { lhs, rhs in
      for comparator in comparators {
        switch comparator.compare(lhs.element, rhs.element) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame: continue
        }
      }
      return lhs.offset < rhs.offset
    }
    self = sorted.map(\.element)
  }
}
