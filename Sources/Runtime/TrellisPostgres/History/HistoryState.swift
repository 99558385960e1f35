import Foundation
import Synchronization
import Trellis

/// The history state, stored in the metadata as JSON. A process locks this row before it changes the state.
struct HistoryState: Codable {
  /// A number that is incremented when the server is replaced by a copy or the store is erased. Tokens from earlier
  /// epochs are expired.
  var epoch: Int64 = 0
  /// The number of the last transaction in earlier epochs. Transaction IDs from those epochs mean nothing to this
  /// server.
  var start: Int64 = 0
  /// The greatest number and the greatest transaction ID among forgotten transactions.
  var floor: Int64 = 0
  var floorXID: UInt64 = 0
  /// The number of migrations that have excluded earlier app versions.
  var generation: Int64 = 0
  /// The server and its timeline. Empty until a process opens the store.
  var server = ""

  init() {}

  /// Parses the text; `nil` if it is not valid.
  init?(_ text: String) {
    guard let state = try? JSONColumn.value(Self.self, from: Data(text.utf8)) else { return nil }
    self = state
  }

  var text: String { (try? JSONColumn.text(of: self)) ?? "" }

  /// The metadata key.
  static let key = "history"

  /// Returns SQL for a field of the JSON in a metadata row.
  static func field(_ name: String) -> SQLFragment { "(\"value\"::jsonb->>\(literal: name))" }

  /// A transaction's ID for snapshot comparisons: 0 if the transaction belongs to an earlier epoch.
  func xid(of number: Int64, _ xid: UInt64) -> UInt64 { number <= start ? 0 : xid }

  /// A transaction's mark.
  func mark(of row: HistoryRow) -> HistoryMark { .transaction(epoch: epoch, xid: xid(of: row.id, row.xid)) }

  /// Starts a new epoch after a transaction. All existing tokens expire.
  mutating func startEpoch(after last: Int64) {
    epoch += 1
    start = last
    floorXID = 0
  }
}

/// The history and server state that a statement has seen.
struct HistoryMoment {
  /// The transactions visible to the statement, up to the last one in the history.
  let snapshot: TransactionSnapshot
  /// All transactions visible to the statement. A server crash can lose the last IDs.
  var present: TransactionSnapshot
  /// True for a standby.
  ///
  /// A standby's snapshots do not list running transactions, so only IDs below the first running one count. The
  /// primary has written all of these to disk.
  let isStandby: Bool
  let state: HistoryState
  /// The state's JSON text in the metadata.
  let stateText: String
  /// The server and its timeline; `nil` on a standby.
  let server: String?
  /// See ``CommitOrder/instance``.
  let instance: String?

  /// Returns the columns that the initializer reads.
  static func columns(_ commits: CommitOrder) -> SQLFragment {
    """
    \(commits.snapshot), \(commits.isStandby), \(commits.server),
    (SELECT "value" FROM \(name: commits.tables.metadata) WHERE "key" = \(value: .text(HistoryState.key))),
    \(commits.instance), \(commits.lastTransaction)
    """
  }
  static let columnCount: Int32 = 6

  /// - Parameter place: The server, for error messages.
  init(_ row: ResultRow, place: String) throws {
    guard let snapshot = row.string(0).flatMap({ TransactionSnapshot($0) }), let text = row.string(3),
      let state = HistoryState(text)
    else {
      throw PostgresMetadata.damaged("lacks the history state", place)
    }
    isStandby = row.integer(1) == 1
    present = isStandby ? TransactionSnapshot(before: snapshot.first) : snapshot
    self.snapshot = isStandby ? present : snapshot.kept(row.string(5), state)
    self.state = state
    stateText = text
    server = row.string(2)
    instance = row.string(4)
  }

  /// True if the server has restarted or crashed since an earlier moment. It may have lost transactions visible at
  /// that moment.
  func isOtherInstance(than other: Self) -> Bool {
    guard let instance, let former = other.instance else { return false }
    return instance != former
  }

  /// True if the server is a copy of the server in the metadata, for example a promoted standby.
  var isReplaced: Bool { server.map { $0 != state.server } ?? false }

  /// Returns the position after all currently visible transactions.
  func position(_ number: Int64, seen: TransactionSnapshot?) -> HistoryPosition {
    HistoryPosition(number, .reader(epoch: state.epoch, seen: seen, current: snapshot))
  }

  /// Returns the position after all transactions.
  func last(_ number: Int64) -> HistoryPosition { position(number, seen: snapshot) }
}

extension PostgresStore {
  /// Returns the current moment. Starts a new epoch if the server was replaced.
  func moment(_ connection: PostgresConnection) throws -> HistoryMoment {
    let moment = try presentMoment(connection)
    guard moment.isReplaced else { return moment }
    // The enclosing transaction would not see a new epoch, so it has to be repeated.
    guard !connection.isInTransaction else { throw ServerReplaced() }
    try startEpoch(on: moment.server ?? "", connection)
    return try presentMoment(connection)
  }

  private func presentMoment(_ connection: PostgresConnection) throws -> HistoryMoment {
    let statement = PostgresStatement("SELECT \(HistoryMoment.columns(commits))")
    let found = try connection.rows(statement) { try HistoryMoment($0, place: pool.place) }
    guard let moment = found.first else { throw PostgresError(.connectionLost, "\(pool.place) has returned no row") }
    try record(moment.state, connection)
    return moment
  }

  /// Stores the epoch and, if it has changed, discards the reserved row keys, which the new server may assign again.
  ///
  /// - Throws: The same errors as ``PostgresStore/checkGeneration()``.
  func record(_ state: HistoryState, _ connection: PostgresConnection) throws {
    if state.generation != generation.load(ordering: .relaxed) { try checkGeneration(connection) }
    if epoch.exchange(state.epoch, ordering: .relaxed) != state.epoch { keys.forget() }
  }

  /// Returns the server and instance that a connection uses, which never change.
  func server(of connection: PostgresConnection) throws -> String {
    if let known = connection.server { return known }
    let found = try connection.rows(PostgresStatement("SELECT \(commits.server), \(commits.instance)")) {
      "\($0.string(0) ?? "") \($0.string(1) ?? "")"
    }
    connection.server = found.first
    return found.first ?? ""
  }

  /// Starts an epoch on a server, unless a concurrent process has done so.
  private func startEpoch(on server: String, _ connection: PostgresConnection) throws {
    guard configuration.allowsSave else {
      throw SwiftDataError.historyTokenExpired.explained(
        "the server was replaced by a copy, and this store was opened read-only: open it with write access first",
        path: pool.place)
    }
    try changeHistory(connection) { state in
      guard state.server != server else { return }
      try lockHistory(connection)
      try state.startEpoch(after: lastNumber(connection))
      state.server = server
    }
  }

  /// Returns the last transaction's number; 0 if the history is empty.
  func lastNumber(_ connection: PostgresConnection) throws -> Int64 {
    let query = PostgresStatement("SELECT max(\"id\") FROM \(name: tables.transactions)")
    return try connection.rows(query) { $0.integer(0) }.first ?? 0
  }

  /// Waits for transactions that write to the history, and blocks new ones until the current transaction ends. The
  /// last number then separates earlier epochs from the new one.
  package func lockHistory(_ connection: PostgresConnection) throws {
    try connection.run([PostgresStatement(commits.lock)])
  }

  /// Changes the history state in a transaction, which is retried after a conflict.
  func changeHistory(
    _ connection: PostgresConnection, _ change: (inout HistoryState) throws -> Void
  ) throws {
    try PostgresError.repeating {
      try connection.transaction(commits.begin) { try HistoryState.change(commits, connection, change) }
    } after: { error, attempt in
      if error.concernsMissingObject { try checkTables() }
      guard error.isConflict, attempt < commits.mostAttempts else { return false }
      pause(attempt)
      return true
    }
  }
}

extension HistoryState {
  /// Changes the state within the connection's current transaction.
  static func change(
    _ commits: CommitOrder, _ connection: PostgresConnection, _ change: (inout HistoryState) throws -> Void
  ) throws {
    let key: SQLFragment = "\"key\" = \(value: .text(HistoryState.key))"
    let table: SQLFragment = "\(name: commits.tables.metadata)"
    let found = try connection.rows("SELECT \"value\" FROM \(table) WHERE \(key) FOR UPDATE") {
      $0.string(0).flatMap { HistoryState($0) }
    }
    var state = found.first ?? HistoryState()
    try change(&state)
    try connection.execute(["UPDATE \(table) SET \"value\" = \(value: .text(state.text)) WHERE \(key)"])
  }
}

extension TransactionSnapshot {
  /// Returns the part of a statement's snapshot that a server crash cannot lose: up to the last transaction in the
  /// history.
  ///
  /// - Parameter last: See ``CommitOrder/lastTransaction``.
  func kept(_ last: String?, _ state: HistoryState) -> Self {
    let parts = (last ?? "").split(separator: "/")
    guard parts.count == 2, let xid = UInt64(parts[0]), xid >= state.floorXID else {
      return through(state.floorXID, nil)
    }
    return through(xid, String(parts[1]))
  }
}

/// Thrown from a transaction that detects a replaced server.
struct ServerReplaced: Error {}
