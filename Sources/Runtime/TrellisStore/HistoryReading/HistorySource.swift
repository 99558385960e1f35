import Foundation

/// The history of a store of tables, in one state of the database.
package protocol HistorySource {
  /// The identifier of the store.
  var identifier: String { get }
  /// The store, for errors.
  var place: (store: String, path: String?) { get }
  /// Calls `body` with the transactions within the limits of a query, in its order, until the result is false.
  func visitRows(_ query: HistoryQuery, _ body: (HistoryRow) throws -> Bool) throws
  /// The position of a transaction, which tells whether a reader has read it.
  func position(of row: HistoryRow) -> HistoryPosition
  /// The position of a reader after a transaction.
  func token(of row: HistoryRow) -> DefaultHistoryToken
  /// True for a transaction of the store itself.
  func isOwn(_ row: HistoryRow) -> Bool
  /// The decoder for the changes of a version; nil if the store does not say what they mean.
  func decoder(_ epoch: Int) throws -> HistoryDecoder?
  /// The preserved values of the rows that a transaction has deleted.
  func tombstones(of row: HistoryRow) throws -> HistoryDecoder.Tombstones
}

extension HistorySource {
  /// The transactions that match a query.
  ///
  /// - Parameter isForgetting: true to leave out changes that nothing reads, which may be damaged.
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
      "what the history of store '\(place.store)' says of transaction \(number) cannot be read: forget the "
        + "history up to there with 'deleteHistory'; the models are not concerned", path: place.path)
  }

  /// The error of a token, part of whose later transactions the history lacks.
  package func expired(_ reason: String) -> SwiftDataError {
    SwiftDataError.historyTokenExpired.explained(
      "\(reason): read the models again, and go on from 'history.latestToken()'", path: place.path)
  }
}

extension Array {
  /// Puts the elements in the order of descriptors; equals stay as they are.
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
