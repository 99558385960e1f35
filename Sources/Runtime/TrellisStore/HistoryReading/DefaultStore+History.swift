import Foundation

extension DefaultStore: HistoryProviding {
  /// The type of the store's transactions.
  public typealias HistoryType = DefaultHistoryTransaction
  /// A position in the store's history.
  public typealias TokenType = DefaultHistoryToken

  /// The type of the store's transactions.
  public static var historyType: DefaultHistoryTransaction.Type { DefaultHistoryTransaction.self }

  /// Fetches matching history transactions, in the descriptor's order and within the limit.
  ///
  /// If there is no sort order, transactions are returned in the order in which they were saved.
  ///
  /// ```swift
  /// let store = try DefaultStore(ModelConfiguration(schema: Schema(Trip.self), url: url))
  /// let imports = try store.fetchHistory(HistoryDescriptor(predicate: #Predicate { $0.author == "import" }))
  /// ```
  ///
  /// Conditions on tokens, transaction numbers and timestamps limit the rows that are read, so the length of the
  /// remaining history does not affect performance. The predicate is evaluated for each transaction within these
  /// limits. Changes in non-matching transactions are decoded only if the predicate reads them.
  ///
  /// - Parameter descriptor: The predicate, sort order and limit.
  /// - Returns: The transactions with all changes to models in the schema.
  /// - Throws: ``SwiftDataError/historyTokenExpired`` if the predicate selects transactions after a token and some of
  ///   them were deleted or never recorded; errors thrown by the predicate.
  public func fetchHistory(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  ) throws -> [DefaultHistoryTransaction] {
    let query = HistoryQuery(descriptor, store: identifier)
    var found: [DefaultHistoryTransaction] = []
    try reading(for: .history, several: true) { connection in
      let history = FileHistory(store: self, connection: connection)
      try history.check(query.beginnings)
      found = try history.transactions(query)
    }
    return found
  }

  /// Deletes matching history transactions. Models are not affected.
  ///
  /// Tokens for positions before the last deleted transaction expire.
  ///
  /// ```swift
  /// let store = try DefaultStore(ModelConfiguration(schema: Schema(Trip.self), url: url))
  /// let lastMonth = Date.now.addingTimeInterval(-30 * 24 * 3600)
  /// try store.deleteHistory(HistoryDescriptor(predicate: #Predicate { $0.timestamp < lastMonth }))
  /// ```
  ///
  /// - Parameter descriptor: The predicate, and a sort order and limit if only some matches are to be deleted.
  /// - Throws: The same errors as ``fetchHistory(_:)``, except for expired tokens; an error if writing fails.
  public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    try checkWritable()
    let query = HistoryQuery(descriptor, store: identifier)
    try writeTransaction(for: .history) { connection in
      let found = try FileHistory(store: self, connection: connection).transactions(query, isForgetting: true)
      var numbers = RowRuns()
      for number in found.map(\.id).sorted() { numbers.append(number) }
      try HistoryLog.forget(numbers.runs, connection)
    }
  }

  /// Returns the range of available history.
  package func historyReach() throws -> HistoryReach? {
    var reach = HistoryReach()
    try reading(for: .history, several: true) { connection in
      reach.floor = HistoryPosition(try HistoryLog.floor(connection))
      reach.last = HistoryPosition(try HistoryTables.last(connection))
    }
    return reach
  }
}

/// A file store's history, read in a transaction.
struct FileHistory: HistorySource {
  let store: DefaultStore
  let connection: Connection

  var identifier: String { store.identifier }
  var place: (store: String, path: String?) {
    (store.name, store.configuration.isStoredInMemoryOnly ? nil : store.configuration.url.path)
  }

  func visitRows(_ query: HistoryQuery, _ body: (HistoryRow) throws -> Bool) throws {
    let fragment = query.fragment(HistoryTables.columns)
    let statement = try connection.take(fragment.text)
    defer { connection.checkIn(statement) }
    try statement.bind(fragment.values)
    while try statement.step() {
      guard try body(HistoryRow(statement)) else { return }
    }
  }

  func position(of row: HistoryRow) -> HistoryPosition { HistoryPosition(row.id, .transaction(epoch: 0, xid: 0)) }
  func token(of row: HistoryRow) -> DefaultHistoryToken { store.token(row.id) }
  func isOwn(_ row: HistoryRow) -> Bool { store.history?.own.contains(row.id...row.id) ?? false }

  func decoder(_ epoch: Int) throws -> HistoryDecoder? {
    try store.decoders.decoder(epoch, store.plans) { epoch in
      try HistoryNames.all(connection).first { $0.epoch == epoch }?.names
    }
  }

  func tombstones(of row: HistoryRow) throws -> HistoryDecoder.Tombstones {
    var values: HistoryDecoder.Tombstones = [:]
    let rows = try connection.rows(
      """
      SELECT "entity", "key", \(HistoryTables.values) FROM \(name: HistoryTables.tombstones)
      WHERE "transaction" = \(value: .integer(row.id)) ORDER BY "entity", "key", "part"
      """)
    for row in rows {
      guard case .integer(let entity) = row[0], case .integer(let key) = row[1] else { continue }
      values[Int(entity), default: [:]][key, default: []] += row.dropFirst(2)
    }
    return values
  }

  /// Checks that the history is complete after the given positions.
  func check(_ positions: [HistoryPosition]) throws {
    guard !positions.isEmpty else { return }
    let floor = try HistoryLog.floor(connection)
    let last = try HistoryTables.last(connection)
    for position in positions.map(\.number) {
      if position < floor {
        throw expired(
          "the token refers to transaction \(position), but the history of store '\(store.name)' was deleted up to "
            + "transaction \(floor), or was not fully recorded")
      }
      if try position > last || (position > floor && isHole(position)) {
        throw expired(
          "the token refers to transaction \(position), but the history of store '\(store.name)' ends at \(last): "
            + "the store was replaced by an older copy")
      }
    }
  }

  /// Returns true if the transaction at a position was rolled back. Only in-memory stores are checked: a file store can
  /// only return to an earlier state as a whole.
  private func isHole(_ position: Int64) throws -> Bool {
    guard store.configuration.isStoredInMemoryOnly else { return false }
    let found = try connection.rows(
      """
      SELECT 1 FROM \(name: HistoryTables.transactions)
      WHERE "id" = \(value: .integer(position)) AND "changes" IS NULL
      """)
    return !found.isEmpty
  }
}
