import Foundation

extension DefaultStore: HistoryProviding {
  /// The type of the store's transactions.
  public typealias HistoryType = DefaultHistoryTransaction
  /// A position in the store's history.
  public typealias TokenType = DefaultHistoryToken

  /// The type of the store's transactions.
  public static var historyType: DefaultHistoryTransaction.Type { DefaultHistoryTransaction.self }

  /// The transactions that match, sorted and limited as asked; without an order, as they were saved.
  ///
  ///     let news = try store.fetchHistory(
  ///       HistoryDescriptor(predicate: #Predicate { $0.token > last && $0.author != "import" }))
  ///
  /// What a predicate says of tokens, numbers and times limits what is read, so that it does not matter how much
  /// the store remembers beyond that. The predicate is evaluated for each of these transactions; the changes of
  /// those that do not match are decoded only if the predicate reads them.
  ///
  /// - Throws: ``SwiftDataError/historyTokenExpired`` when the predicate asks for what came after a token, and
  ///   part of that was deleted or never recorded; what the predicate throws.
  public func fetchHistory(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  ) throws -> [DefaultHistoryTransaction] {
    let query = HistoryQuery(descriptor, store: identifier)
    var found: [DefaultHistoryTransaction] = []
    try reading(for: .history, several: true) { connection in
      found = try transactions(query, connection)
    }
    return found
  }

  /// Forgets the transactions that match; models stay as they are. Tokens of positions before the last one
  /// that was forgotten are expired then.
  ///
  ///     try store.deleteHistory(HistoryDescriptor(predicate: #Predicate { $0.timestamp < lastMonth }))
  ///
  /// - Throws: as ``fetchHistory(_:)``, except for expired tokens; an error when the store cannot be written.
  public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    try checkWritable()
    let query = HistoryQuery(descriptor, store: identifier)
    try writeTransaction(for: .history) { connection in
      let numbers = try transactions(query, isForgetting: true, connection).map(\.id)
      try HistoryLog.forget(numbers.sorted(), connection)
    }
  }

  /// What there is of the history.
  package func historyReach() throws -> HistoryReach? {
    var reach = HistoryReach()
    try reading(for: .history, several: true) { connection in
      reach.floor = HistoryPosition(try HistoryLog.floor(connection))
      reach.last = HistoryPosition(try HistoryTables.last(connection))
    }
    return reach
  }

  /// - Parameter isForgetting: true to accept expired tokens and leave out changes that nothing reads, which may
  ///   be damaged.
  private func transactions(
    _ query: HistoryQuery, isForgetting: Bool = false, _ connection: Connection
  ) throws -> [DefaultHistoryTransaction] {
    if !isForgetting, !query.beginnings.isEmpty { try check(query.beginnings.map(\.number), connection) }
    let filter = query.descriptor.predicate.map { MemoryFilter($0) }
    let reader = HistoryTransactionReader(self, connection)
    var found: [DefaultHistoryTransaction] = []
    let fragment = query.fragment(HistoryColumn.names)
    let statement = try connection.take(fragment.text)
    defer { connection.giveBack(statement) }
    try statement.bind(fragment.values)
    while try statement.step() {
      let row = HistoryRow(statement)
      var transaction = try query.readsChanges ? reader.transaction(row) : reader.columns(row)
      if let filter {
        var judged = transaction
        judged.token = judged.token.judged
        guard try filter.matches(judged) else { continue }
      }
      if !query.readsChanges, !isForgetting { transaction = try reader.transaction(row) }
      found.append(transaction)
      if query.isSorted, found.count == query.limit { break }
    }
    guard !query.isSorted else { return found }
    found.sort(by: query.descriptor.sortBy)
    return Array(found.prefix(query.limit))
  }

  /// Whether the history has all that came after positions.
  func check(_ positions: [Int64], _ connection: Connection) throws {
    let floor = try HistoryLog.floor(connection)
    let last = try HistoryTables.last(connection)
    for position in positions {
      if position < floor {
        throw SwiftDataError.historyTokenExpired.explained(
          "of what came after transaction \(position), which the token names, the history of store "
            + "'\(name)' has been deleted up to transaction \(floor), or part of it was never recorded: read "
            + "the models again, and go on from 'history.latestToken()'",
          path: configuration.isStoredInMemoryOnly ? nil : configuration.url.path)
      }
      if try position > last || (position > floor && isHole(position, connection)) {
        throw SwiftDataError.historyTokenExpired.explained(
          "the token names transaction \(position), and the history of store '\(name)' ends at \(last): the "
            + "store was replaced by an older copy; read the models again, and go on from "
            + "'history.latestToken()'",
          path: configuration.isStoredInMemoryOnly ? nil : configuration.url.path)
      }
    }
  }

  /// Whether a position is that of a transaction that was taken back: a store in one file that is replaced as a
  /// whole can be put back to what it was before.
  private func isHole(_ position: Int64, _ connection: Connection) throws -> Bool {
    guard configuration.isStoredInMemoryOnly else { return false }
    let found = try connection.rows(
      """
      SELECT 1 FROM \(name: HistoryTables.transactions)
      WHERE "id" = \(value: .integer(position)) AND "changes" IS NULL
      """)
    return !found.isEmpty
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
