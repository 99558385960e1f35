import Foundation
import Trellis

/// How the server tells which transactions a statement sees.
///
/// PostgreSQL has transaction IDs and snapshots. For an engine without them, the number of a transaction takes the place of
/// its ID: a save takes it from a row that it locks until it is committed. Every snapshot then contains all transactions up
/// to a number, and the rest of the history is the same.
struct CommitOrder {
  let tables: InternalTables
  /// True if the server has transaction IDs and snapshots. Only such a server also has table locks and `SET CONSTRAINTS`.
  let hasSnapshots: Bool

  /// The key of the next number in the metadata.
  static let key = "next number"

  private var isCounter: SQLFragment { "\"key\" = \(value: .text(Self.key))" }

  /// The snapshot of the statement, as text.
  var snapshot: SQLFragment {
    if hasSnapshots { return "pg_current_snapshot()::text" }
    return "(SELECT \"value\" || ':' || \"value\" || ':' FROM \(name: tables.metadata) WHERE \(isCounter))"
  }

  /// The snapshot of the transaction, as text; NULL for an engine without snapshots, which shows it after COMMIT only.
  var ownSnapshot: SQLFragment { hasSnapshots ? snapshot : "NULL::text" }

  /// The columns of a moment, without the state of the history. The server is NULL for a standby and if the engine replaces
  /// its servers without a loss.
  var server: SQLFragment {
    guard hasSnapshots else { return "NULL::text" }
    // A restored copy differs in one of them: the server, its timeline, the database, or the table.
    return """
      CASE WHEN pg_is_in_recovery() THEN NULL ELSE (SELECT system_identifier::text FROM pg_control_system())
      || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
      || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())
      || '/' || to_regclass(\(literal: PostgresName.quoted(tables.transactions)))::oid END
      """
  }

  /// Identifies a primary, and its lifetime between crashes, without reading a file. NULL for a standby and if
  /// the engine has no snapshots.
  var instance: SQLFragment {
    guard hasSnapshots else { return "NULL::text" }
    // If a backend crashes, the server recovers without a restart. Only the end of the recovery differs then.
    return """
      CASE WHEN pg_is_in_recovery() THEN NULL ELSE date_part('epoch', pg_postmaster_start_time())::text
      || '/' || COALESCE(pg_last_wal_replay_lsn()::text, '')
      || '/' || to_regclass(\(literal: PostgresName.quoted(tables.transactions)))::oid END
      """
  }

  /// The ID and the save of the last transaction of the history that the statement sees, for
  /// `TransactionSnapshot.kept`. NULL if missing.
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

  /// Starts a transaction that reads a row and changes it. Every statement sees what is committed when it starts; a server
  /// without snapshots reports a conflict instead.
  var begin: PostgresStatement { hasSnapshots ? .beginCommitted : .begin }

  /// The number of attempts at a save that conflicts with the saves of others.
  var mostAttempts: Int { hasSnapshots ? 8 : 64 }

  /// The definitions of the columns that identify a transaction of the history.
  var columns: SQLFragment {
    guard hasSnapshots else { return "\"id\" bigint PRIMARY KEY" }
    return """
      "id" bigint PRIMARY KEY DEFAULT nextval(\(literal: PostgresName.quoted(tables.numbers))),
      "xid" xid8 NOT NULL DEFAULT pg_current_xact_id()
      """
  }

  /// The sequence of the numbers; none for a counter.
  var sequences: [SQLFragment] {
    // Without a cache, so that the numbers have the order in which the transactions have got their locks.
    hasSnapshots ? ["CREATE SEQUENCE \(name: tables.numbers) CACHE 1"] : []
  }

  /// The index of the transaction IDs, if they are not the primary key.
  var indexes: [SQLFragment] {
    hasSnapshots
      ? ["CREATE INDEX \(name: "trellis_history_xid_index") ON \(name: tables.transactions) (\"xid\")"] : []
  }

  /// The rows that the metadata needs.
  var metadata: [(key: String, value: String)] { hasSnapshots ? [] : [(Self.key, "1")] }

  /// The column with the ID of a transaction.
  ///
  /// - Parameter table: the alias of the table, with a dot; empty if missing.
  func xid(of table: SQLFragment = "") -> SQLFragment { hasSnapshots ? "\(table)\"xid\"" : "\(table)\"id\"" }

  /// The statements that record a transaction.
  ///
  /// - Parameter ending: the end of the statement.
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

  /// Lets only programs save that know a generation.
  ///
  /// A program writes its generation with each transaction. A save that has waited for the migration fails, although its
  /// snapshot is older.
  func generationCheck(_ generation: Int64) -> [SQLFragment] {
    guard hasSnapshots else { return [] }
    let table: SQLFragment = "ALTER TABLE \(name: tables.transactions)"
    return [
      "\(table) DROP CONSTRAINT \(name: InternalTables.generation)",
      // Transactions of earlier generations stay.
      """
      \(table) ADD CONSTRAINT \(name: InternalTables.generation)
      CHECK ("generation" >= \(literal: String(generation))) NOT VALID
      """,
    ]
  }

  /// Keeps other transactions from writing to the history, after those that do are finished.
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
