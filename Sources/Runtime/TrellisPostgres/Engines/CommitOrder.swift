import Foundation
import Trellis

/// Determines which transactions a statement sees.
///
/// PostgreSQL has transaction IDs and snapshots. If an engine has none, a transaction's number replaces its ID: a save
/// takes the number from a row that remains locked until COMMIT. Every snapshot then contains all transactions up to a
/// number, and the rest of the history works as it does with transaction IDs.
struct CommitOrder {
  let tables: InternalTables
  /// True if the server has transaction IDs and snapshots. Only such a server also has table locks and `SET
  /// CONSTRAINTS`.
  let hasSnapshots: Bool

  /// The metadata key for the next number.
  static let key = "next number"

  private var isCounter: SQLFragment { "\"key\" = \(value: .text(Self.key))" }

  /// The statement's snapshot, as text.
  var snapshot: SQLFragment {
    if hasSnapshots { return "pg_current_snapshot()::text" }
    return "(SELECT \"value\" || ':' || \"value\" || ':' FROM \(name: tables.metadata) WHERE \(isCounter))"
  }

  /// The transaction's snapshot, as text; NULL if the engine has no snapshots, because the position is then only known
  /// after COMMIT.
  var ownSnapshot: SQLFragment { hasSnapshots ? snapshot : "NULL::text" }

  /// Identifies the server. NULL for a standby, and if the engine replaces servers without data loss.
  var server: SQLFragment {
    guard hasSnapshots else { return "NULL::text" }
    // A restored copy differs in at least one part: the server, the timeline, the database, or the table.
    return """
      CASE WHEN pg_is_in_recovery() THEN NULL ELSE (SELECT system_identifier::text FROM pg_control_system())
      || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
      || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())
      || '/' || to_regclass(\(literal: PostgresName.quoted(tables.transactions)))::oid END
      """
  }

  /// Identifies a primary and its lifetime between crashes, without reading a file. NULL for a standby, and if the
  /// engine has no snapshots.
  var instance: SQLFragment {
    guard hasSnapshots else { return "NULL::text" }
    // If a backend crashes, the server recovers but does not restart. Only the end of the recovery differs in that
    // case.
    return """
      CASE WHEN pg_is_in_recovery() THEN NULL ELSE date_part('epoch', pg_postmaster_start_time())::text
      || '/' || COALESCE(pg_last_wal_replay_lsn()::text, '')
      || '/' || to_regclass(\(literal: PostgresName.quoted(tables.transactions)))::oid END
      """
  }

  /// The ID and the save of the last history transaction visible to the statement, for `TransactionSnapshot.kept`. NULL
  /// if the history is empty.
  var lastTransaction: SQLFragment {
    // Earlier epochs can have greater IDs than this server.
    let isPast: SQLFragment = hasSnapshots ? "l.\"xid\" < pg_snapshot_xmax(pg_current_snapshot())" : "TRUE"
    return """
      (SELECT \(xid(of: "l."))::text || '/' || l."save" FROM \(name: tables.transactions) AS l WHERE l."id" >
      (SELECT \(HistoryState.field("start"))::bigint FROM \(name: tables.metadata)
      WHERE "key" = \(value: .text(HistoryState.key))) AND \(isPast)
      ORDER BY \(xid(of: "l.")) DESC LIMIT 1)
      """
  }

  /// True for a standby.
  var isStandby: SQLFragment { hasSnapshots ? "pg_is_in_recovery()" : "FALSE" }

  // MARK: transactions

  /// Begins a transaction that reads a row and then changes it. Every statement sees all transactions committed before
  /// it starts; if the server has no snapshots, it reports a conflict instead.
  var begin: PostgresStatement { hasSnapshots ? .beginCommitted : .begin }

  /// The maximum number of attempts for a save that conflicts with concurrent saves.
  var mostAttempts: Int { hasSnapshots ? 8 : 64 }

  /// The column definitions that identify a history transaction.
  var columns: SQLFragment {
    guard hasSnapshots else { return "\"id\" bigint PRIMARY KEY" }
    return """
      "id" bigint PRIMARY KEY DEFAULT nextval(\(literal: PostgresName.quoted(tables.numbers))),
      "xid" xid8 NOT NULL DEFAULT pg_current_xact_id()
      """
  }

  /// The sequence of transaction numbers; empty if numbers come from a counter.
  var sequences: [SQLFragment] {
    // The sequence has no cache, so that numbers follow the order in which transactions acquired their locks.
    hasSnapshots ? ["CREATE SEQUENCE \(name: tables.numbers) CACHE 1"] : []
  }

  /// The transaction ID index; empty if the ID is the primary key.
  var indexes: [SQLFragment] {
    hasSnapshots
      ? ["CREATE INDEX \(name: "trellis_history_xid_index") ON \(name: tables.transactions) (\"xid\")"] : []
  }

  /// The metadata rows for a counter.
  var metadata: [(key: String, value: String)] { hasSnapshots ? [] : [(Self.key, "1")] }

  /// Returns the column that contains the transaction ID.
  ///
  /// - Parameter table: The table alias, followed by a dot; may be empty.
  func xid(of table: SQLFragment = "") -> SQLFragment { hasSnapshots ? "\(table)\"xid\"" : "\(table)\"id\"" }

  /// Returns the statements that record a transaction.
  ///
  /// - Parameter ending: The end of the last statement.
  func insertion(
    _ save: UUID, author: String? = nil, process: String = HistoryLog.process, _ changes: [UInt8]?, generation: Int64,
    _ ending: SQLFragment = ""
  ) -> [SQLFragment] {
    let columns: KeyValuePairs<String, SQLValue> = [
      "save": .text(save.uuidString), "time": .real(Date.timeIntervalSinceReferenceDate),
      "author": author.map { .text($0) } ?? .null, "bundle": .text(HistoryLog.program), "process": .text(process),
      "changes": changes.map { .blob($0) } ?? .null, "generation": .integer(generation),
    ]
    let names = columns.map { "\(name: $0.key)" as SQLFragment }.joined(separator: ", ")
    let values = columns.map { "\(value: $0.value)" as SQLFragment }.joined(separator: ", ")
    guard hasSnapshots else {
      return [
        """
        UPDATE \(name: tables.metadata) SET "value" = ("value"::bigint + 1)::text WHERE \(isCounter)
        """,
        """
        INSERT INTO \(name: tables.transactions) ("id", \(names))
        VALUES ((SELECT "value"::bigint - 1 FROM \(name: tables.metadata) WHERE \(isCounter)), \(values)) \(ending)
        """,
      ]
    }
    return ["INSERT INTO \(name: tables.transactions) (\(names)) VALUES (\(values)) \(ending)"]
  }

  /// Restricts saves to processes that have the given generation or a later one.
  ///
  /// A process writes its generation with each transaction. A save that has waited for the migration fails, although
  /// its snapshot is older.
  func generationCheck(_ generation: Int64) -> [SQLFragment] {
    guard hasSnapshots else { return [] }
    let table: SQLFragment = "ALTER TABLE \(name: tables.transactions)"
    return [
      "\(table) DROP CONSTRAINT \(name: InternalTables.generation)",
      // Transactions of earlier generations remain.
      """
      \(table) ADD CONSTRAINT \(name: InternalTables.generation)
      CHECK ("generation" >= \(literal: String(generation))) NOT VALID
      """,
    ]
  }

  /// Waits for transactions that write to the history, and blocks new ones.
  var lock: SQLFragment {
    hasSnapshots
      ? "LOCK TABLE \(name: tables.transactions) IN EXCLUSIVE MODE"
      : "UPDATE \(name: tables.metadata) SET \"value\" = \"value\" WHERE \(isCounter)"
  }

  // MARK: conditions

  /// True for the transactions that a snapshot contains.
  func isVisible(in snapshot: TransactionSnapshot, of table: SQLFragment = "") -> SQLFragment {
    hasSnapshots
      ? "pg_visible_in_snapshot(\(xid(of: table)), \(value: .text(snapshot.description))::pg_snapshot)"
      : isBelow(snapshot.first, of: table)
  }

  func isBelow(_ xid: UInt64, of table: SQLFragment = "") -> SQLFragment { "\(self.xid(of: table)) < \(id(xid))" }

  func isAtLeast(_ xid: UInt64, of table: SQLFragment = "") -> SQLFragment { "\(self.xid(of: table)) >= \(id(xid))" }

  /// True for the transactions that every later snapshot contains.
  var isFinal: SQLFragment {
    hasSnapshots ? "\"xid\" < pg_snapshot_xmin(pg_current_snapshot())" : "TRUE"
  }

  private func id(_ xid: UInt64) -> SQLFragment {
    hasSnapshots
      ? "\(value: .text(String(xid)))::xid8" : "\(value: .integer(Int64(clamping: xid)))::bigint"
  }
}

extension PostgresStore {
  var commits: CommitOrder { CommitOrder(tables: tables, hasSnapshots: configuration.engine.hasSnapshots) }
}
