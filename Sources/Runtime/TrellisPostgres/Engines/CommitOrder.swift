import Trellis

/// How the server tells which transactions a statement sees.
///
/// PostgreSQL has transaction IDs and snapshots. For an engine without them, the number of a transaction takes the place of
/// its ID: a save takes it from a row that it locks until it is committed. Every snapshot then contains all transactions up
/// to a number, and the rest of the history is the same.
struct CommitOrder {
  let engine: Capabilities
  let tables: InternalTables

  /// The key of the next number in the metadata.
  static let key = "next number"

  private var isCounter: SQLFragment { "\"key\" = \(value: .text(Self.key))" }

  /// The snapshot of the statement, as text.
  var snapshot: SQLFragment {
    if engine.hasSnapshots { return "pg_current_snapshot()::text" }
    return "(SELECT \"value\" || ':' || \"value\" || ':' FROM \(name: tables.metadata) WHERE \(isCounter))"
  }

  /// The snapshot of the transaction, as text; NULL for an engine without snapshots, which shows it after COMMIT only.
  var ownSnapshot: SQLFragment { engine.hasSnapshots ? snapshot : "NULL::text" }

  /// The columns of a moment, without the state of the history. The server is NULL for a standby and if the engine replaces
  /// its servers without a loss.
  var server: SQLFragment {
    guard engine.hasSnapshots else { return "NULL::text" }
    // A restored copy differs in one of them: the server, its timeline, the database, or the table.
    return """
      CASE WHEN pg_is_in_recovery() THEN NULL ELSE (SELECT system_identifier::text FROM pg_control_system())
      || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
      || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())
      || '/' || to_regclass(\(literal: PostgresName.quoted(tables.transactions)))::oid END
      """
  }

  /// Tells a primary from another one without reading a file: a value that a restart changes, and the table. NULL if the
  /// engine has no snapshots.
  var instance: SQLFragment {
    guard engine.hasSnapshots else { return "NULL::text" }
    return """
      (date_part('epoch', pg_postmaster_start_time())::text
      || '/' || to_regclass(\(literal: PostgresName.quoted(tables.transactions)))::oid)
      """
  }

  /// True for a standby.
  var isStandby: SQLFragment { engine.hasSnapshots ? "pg_is_in_recovery()" : "FALSE" }

  // MARK: transactions

  /// The definitions of the columns that identify a transaction of the history.
  var columns: SQLFragment {
    guard engine.hasSnapshots else { return "\"id\" bigint PRIMARY KEY" }
    return """
      "id" bigint PRIMARY KEY DEFAULT nextval(\(literal: PostgresName.quoted(tables.numbers))),
      "xid" xid8 NOT NULL DEFAULT pg_current_xact_id()
      """
  }

  /// What the columns need: a sequence or a counter.
  var definitions: [SQLFragment] {
    // Without a cache, so that the numbers have the order in which the transactions have got their locks.
    engine.hasSnapshots ? ["CREATE SEQUENCE \(name: tables.numbers) CACHE 1"] : []
  }

  /// The rows that the metadata needs.
  var metadata: [(key: String, value: String)] { engine.hasSnapshots ? [] : [(Self.key, "1")] }

  /// The column with the ID of a transaction.
  ///
  /// - Parameter table: the alias of the table, with a dot; empty without one.
  func xid(of table: SQLFragment = "") -> SQLFragment { engine.hasSnapshots ? "\(table)\"xid\"" : "\(table)\"id\"" }

  /// The statements that record a transaction. Nothing is written if `columns` violate the constraint of `conflict`.
  ///
  /// - Parameters:
  ///   - columns: the columns beside those that identify the transaction, and their values.
  ///   - ending: the end of the statement.
  func insertion(_ columns: [(name: String, value: SQLFragment)], _ ending: SQLFragment) -> [SQLFragment] {
    let names = columns.map { "\(name: $0.name)" as SQLFragment }.joined(separator: ", ")
    let values = columns.map(\.value).joined(separator: ", ")
    guard engine.hasSnapshots else {
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

  /// Keeps other transactions from writing to the history, after those that do are finished.
  var lock: SQLFragment {
    engine.hasSnapshots
      ? "LOCK TABLE \(name: tables.transactions) IN EXCLUSIVE MODE"
      : "UPDATE \(name: tables.metadata) SET \"value\" = \"value\" WHERE \(isCounter)"
  }

  // MARK: conditions

  /// True for the transactions that a snapshot contains.
  func isVisible(in snapshot: TransactionSnapshot, of table: SQLFragment = "") -> SQLFragment {
    engine.hasSnapshots
      ? "pg_visible_in_snapshot(\(xid(of: table)), \(value: .text(snapshot.description))::pg_snapshot)"
      : isBelow(snapshot.first, of: table)
  }

  func isBelow(_ xid: UInt64, of table: SQLFragment = "") -> SQLFragment { "\(self.xid(of: table)) < \(id(xid))" }

  func isAtLeast(_ xid: UInt64, of table: SQLFragment = "") -> SQLFragment { "\(self.xid(of: table)) >= \(id(xid))" }

  /// True for the transactions that every later snapshot contains.
  var isFinal: SQLFragment {
    engine.hasSnapshots ? "\"xid\" < pg_snapshot_xmin(pg_current_snapshot())" : "TRUE"
  }

  private func id(_ xid: UInt64) -> SQLFragment {
    engine.hasSnapshots
      ? "\(value: .text(String(xid)))::xid8" : "\(value: .integer(Int64(clamping: xid)))::bigint"
  }
}

extension PostgresStore {
  var engine: Capabilities { configuration.engine }
  var commits: CommitOrder { CommitOrder(engine: engine, tables: tables) }
}
