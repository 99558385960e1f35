import Foundation
import Synchronization
public import Trellis

extension PostgresStore: HistoryProviding {
  /// The store's transaction type.
  public typealias HistoryType = DefaultHistoryTransaction

  /// The store's transaction type.
  public static var historyType: DefaultHistoryTransaction.Type { DefaultHistoryTransaction.self }

  /// Fetches the matching transactions, in the requested order and range; by default in save order.
  ///
  /// - Throws: `SwiftDataError.historyTokenExpired` if the predicate requests changes after a token and some of them
  ///   were deleted; ``PostgresError``.
  public func fetchHistory(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  ) throws -> [DefaultHistoryTransaction] {
    let query = HistoryQuery(descriptor, store: identifier)
    return try readingHistory { connection, moment in
      let page = HistoryPage(query, moment, self, connection)
      try page.check(query.beginnings)
      return try page.transactions(query)
    }
  }

  /// Deletes the matching transactions from the history. Models are not affected.
  ///
  /// Tokens for positions before the last deleted transaction expire.
  ///
  /// - Throws: ``PostgresError``.
  public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    try checkWritable()
    let query = HistoryQuery(descriptor, store: identifier)
    try pool.withConnection { connection in
      let page = HistoryPage(query, try moment(connection), self, connection)
      try changeHistory(connection) { state in
        let keys = try page.transactions(query, isForgetting: true).map(\.id)
        guard !keys.isEmpty else { return }
        try forget(where: "\"id\" = ANY (\(value: .list(keys.map { .integer($0) }))::bigint[])", &state, connection)
      }
    }
  }

  /// Runs `body` in a transaction that reads a single database state, and passes it the moment of that state.
  func readingHistory<Result>(_ body: (PostgresConnection, HistoryMoment) throws -> Result) throws -> Result {
    func read() throws -> Result { try readingOneState { try pool.withConnection { try body($0, moment($0)) } } }
    do {
      return try read()
    } catch is ServerReplaced {
      try reading { _ = try moment($0) }
      return try read()
    }
  }

  package func historyReach() throws -> HistoryReach? {
    try readingHistory { connection, moment in
      let query = PostgresStatement(
        "SELECT max(\"id\") FROM \(name: tables.transactions) WHERE \"changes\" IS NULL AND \"process\" <> ''")
      let floor = max(moment.state.floor, try connection.rows(query) { $0.integer(0) }.first ?? 0)
      var reach = HistoryReach()
      if floor > 0 { reach.floor = moment.position(floor, seen: nil) }
      reach.last = moment.last(max(try lastNumber(connection), floor))
      return reach
    }
  }

  func token(_ position: HistoryPosition) -> DefaultHistoryToken {
    DefaultHistoryToken(store: identifier, position: position)
  }

  func decoder(_ epoch: Int, _ connection: PostgresConnection) throws -> HistoryDecoder? {
    try decoders.decoder(epoch, plans) { epoch in
      try connection.rows(
        "SELECT \"names\" FROM \(name: tables.names) WHERE \"epoch\" = \(value: .integer(Int64(epoch)))"
      ) { $0.string(0).flatMap { HistoryNames(text: $0) } }.first
    }
  }
}

/// Pruning the history.
///
/// A forgotten transaction keeps its row but loses its changes, so that a token can be compared with it. Only the most
/// recent of these rows are kept. For the removed rows, the history state records the greatest number and the greatest
/// transaction ID. They show whether a token is expired: it does not contain all removed transactions, or it was issued
/// while an older transaction was still running.
extension PostgresStore {
  /// The interval at which a store with limited history prunes, in transactions.
  private static let pruningInterval: Int64 = 64
  /// The number of forgotten transactions whose rows are kept.
  private static let markers: Int64 = 1_000

  /// Forgets transactions beyond the configured limit.
  ///
  /// - Parameter last: The number of the last transaction.
  func prune(after last: Int64, _ connection: PostgresConnection) throws {
    guard let limit = history?.limit, last % Self.pruningInterval == 0 else { return }
    let oldest: SQLFragment =
      switch limit {
      case .transactions(let count):
        """
        SELECT id FROM \(name: tables.transactions) ORDER BY id DESC OFFSET \(value: .integer(count))::bigint LIMIT 1
        """
      case .seconds(let age):
        """
        SELECT max("id") FROM \(name: tables.transactions) WHERE "id" < \(value: .integer(last))::bigint
        AND "time" < \(value: .real(Date.timeIntervalSinceReferenceDate - age))::double precision
        """
      }
    guard let end = try connection.rows(PostgresStatement(oldest), { $0.integer(0) }).first else { return }
    try changeHistory(connection) { state in
      try forget(where: "\"id\" <= \(value: .integer(end))::bigint", &state, connection)
    }
  }

  /// Forgets the transactions that satisfy a condition, within the transaction of ``changeHistory(_:_:)``.
  func forget(
    where condition: SQLFragment, _ state: inout HistoryState, _ connection: PostgresConnection
  ) throws {
    let isForgotten: SQLFragment = "\"changes\" IS NULL AND \"process\" <> ''"
    var (floor, floorXID) = (state.floor, state.floorXID)
    try connection.run([
      PostgresStatement(
        """
        DELETE FROM \(name: tables.tombstones) WHERE "save" IN
        (SELECT "save" FROM \(name: tables.transactions) WHERE \(condition))
        """),
      PostgresStatement(
        """
        UPDATE \(name: tables.transactions) SET "changes" = NULL, "author" = NULL,
        "generation" = \(value: .integer(generation.load(ordering: .relaxed)))::bigint WHERE \(condition)
        AND "changes" IS NOT NULL
        """),
      // Every later snapshot contains these transactions.
      PostgresStatement(
        """
        DELETE FROM \(name: tables.transactions) WHERE \(isForgotten)
        AND ("id" <= \(value: .integer(state.start))::bigint OR \(commits.isFinal))
        AND "id" < (SELECT "id" FROM \(name: tables.transactions) WHERE \(isForgotten) ORDER BY "id" DESC
        OFFSET \(value: .integer(Self.markers))::bigint LIMIT 1) RETURNING "id", \(commits.xid())::text
        """),
    ]) { _, row in
      let number = row.integer(0) ?? 0
      floor = max(floor, number)
      floorXID = max(floorXID, state.xid(of: number, row.string(1).flatMap { UInt64($0) } ?? 0))
    }
    state.floor = floor
    state.floorXID = floorXID
  }
}
