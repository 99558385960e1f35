import Foundation
import Synchronization
import Trellis

/// Transactions that the history forgets.
///
/// A forgotten transaction keeps its row without changes, so that a token can be compared with it. Only the rows of the last
/// ones stay. Of the others, the state of the history has the greatest number and the greatest transaction ID, which
/// expire a token if it does not contain all of them, or if a transaction was running that was older than they are.
extension PostgresStore {
  /// How often a store that keeps part of its history looks for what it need not keep, in transactions.
  private static let pruningInterval: Int64 = 64
  /// The number of forgotten transactions that keep their rows.
  private static let markers: Int64 = 1_000

  /// Forgets transactions beyond the limit of the configuration.
  ///
  /// - Parameter last: the number of the last transaction.
  func prune(after last: Int64, _ connection: PostgresConnection) throws {
    guard let limit = history?.limit, last % Self.pruningInterval == 0 else { return }
    let oldest: SQLFragment =
      switch limit {
      case .transactions(let count):
        """
        SELECT "id" FROM \(name: tables.transactions) ORDER BY "id" DESC
        OFFSET \(value: .integer(count))::bigint LIMIT 1
        """
      case .seconds(let age):
        """
        SELECT max("id") FROM \(name: tables.transactions)
        WHERE "time" < \(value: .real(Date.timeIntervalSinceReferenceDate - age))::double precision
        AND "id" < \(value: .integer(last))::bigint
        """
      }
    var end: Int64?
    try connection.run(PostgresStatement(oldest, dialect)) { end = $0.integer(0) }
    guard let end else { return }
    try changeHistory(connection) { state in
      try forget(where: "\"id\" <= \(value: .integer(end))::bigint", &state, connection)
    }
  }

  /// Forgets the transactions that satisfy a condition, in the transaction of ``changeHistory(_:_:)``.
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
        """, dialect),
      PostgresStatement(
        """
        UPDATE \(name: tables.transactions) SET "changes" = NULL, "author" = NULL,
        "generation" = \(value: .integer(generation.load(ordering: .relaxed)))::bigint WHERE \(condition)
        AND "changes" IS NOT NULL
        """, dialect),
      // Every later snapshot contains these transactions.
      PostgresStatement(
        """
        DELETE FROM \(name: tables.transactions) WHERE \(isForgotten)
        AND ("id" <= \(value: .integer(state.start))::bigint OR \(commits.isFinal))
        AND "id" < (SELECT "id" FROM \(name: tables.transactions) WHERE \(isForgotten) ORDER BY "id" DESC
        OFFSET \(value: .integer(Self.markers))::bigint LIMIT 1) RETURNING "id", \(commits.xid())::text
        """, dialect),
    ]) { _, row in
      let number = row.integer(0) ?? 0
      floor = max(floor, number)
      floorXID = max(floorXID, state.xid(of: number, row.string(1).flatMap { UInt64($0) } ?? 0))
    }
    state.floor = floor
    state.floorXID = floorXID
  }
}
