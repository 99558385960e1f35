import Foundation
import Synchronization
import Trellis

/// What the metadata says of the history, as one JSON text: all programs change it under the lock of its row.
struct HistoryState: Codable {
  /// How often the server was replaced by a copy, and the store erased. Tokens of other epochs are expired.
  var epoch: Int64 = 0
  /// The last transaction of earlier epochs. Their transaction IDs mean nothing to this server.
  var start: Int64 = 0
  /// The greatest number of a transaction that was forgotten, and the greatest transaction ID of those.
  var floor: Int64 = 0
  var floorXID: UInt64 = 0
  /// How often a migration has kept programs of earlier versions from using the store.
  var generation: Int64 = 0
  /// The server and its timeline. Empty until a program has opened the store.
  var server = ""

  init() {}

  /// Reads the text; nil for another one.
  init?(_ text: String) {
    guard let state = try? JSONColumn.value(Self.self, from: Data(text.utf8)) else { return nil }
    self = state
  }

  var text: String { (try? JSONColumn.text(of: self)) ?? "" }

  /// The key of the text in the metadata.
  static let key = "history"

  /// The field of the text in a row of the metadata.
  static func field(_ name: String) -> SQLFragment { "(\"value\"::jsonb->>\(literal: name))" }

  /// The transaction ID that snapshots of this epoch are asked for: 0 for a transaction of an earlier epoch.
  func xid(of number: Int64, _ xid: UInt64) -> UInt64 { number <= start ? 0 : xid }

  /// The mark of a transaction.
  func mark(of row: HistoryRow) -> HistoryMark { .transaction(epoch: epoch, xid: xid(of: row.id, row.xid)) }

  /// Starts another epoch after a transaction: all tokens are expired.
  mutating func startEpoch(after last: Int64) {
    epoch += 1
    start = last
    floorXID = 0
  }
}

/// The state of the history and of the server that a statement has seen.
struct HistoryMoment {
  /// The transactions that the statement saw, up to the last one of the history.
  let snapshot: TransactionSnapshot
  /// Everything that the statement saw. A crash of the server can lose the last IDs.
  var present: TransactionSnapshot
  /// True for a standby. Its snapshots do not name running transactions, so only those below the first one count. Its
  /// primary has written all of them to disk.
  let isStandby: Bool
  let state: HistoryState
  /// The text of the state in the metadata.
  let stateText: String
  /// The server and its timeline; nil on a standby.
  let server: String?
  /// See ``CommitOrder/instance``.
  let instance: String?

  /// The columns of a moment.
  static func columns(_ commits: CommitOrder) -> SQLFragment {
    """
    \(commits.snapshot), \(commits.isStandby), \(commits.server),
    (SELECT "value" FROM \(name: commits.tables.metadata) WHERE "key" = \(value: .text(HistoryState.key))),
    \(commits.instance), \(commits.lastTransaction)
    """
  }
  static let columnCount: Int32 = 6

  /// - Parameter place: the server, for errors.
  init(_ row: ResultRow, place: String) throws {
    guard let snapshot = row.string(0).flatMap({ TransactionSnapshot($0) }), let text = row.string(3),
      let state = HistoryState(text)
    else {
      throw PostgresMetadata.damaged("lacks the state of the history", place)
    }
    isStandby = row.integer(1) == 1
    present = isStandby ? TransactionSnapshot(before: snapshot.first) : snapshot
    self.snapshot = isStandby ? present : snapshot.kept(row.string(5), state)
    self.state = state
    stateText = text
    server = row.string(2)
    instance = row.string(4)
  }

  /// True if the server has restarted or crashed between two moments. It can have lost what the earlier one has seen.
  func isOtherInstance(than other: Self) -> Bool {
    guard let instance, let former = other.instance else { return false }
    return instance != former
  }

  /// True if the server is a copy of the one that the metadata names, for example a promoted standby.
  var isReplaced: Bool { server.map { $0 != state.server } ?? false }

  /// The position after everything that is visible now.
  func position(_ number: Int64, seen: TransactionSnapshot?) -> HistoryPosition {
    HistoryPosition(number, .reader(epoch: state.epoch, seen: seen, current: snapshot))
  }

  /// The position after all transactions.
  func last(_ number: Int64) -> HistoryPosition { position(number, seen: snapshot) }
}

extension PostgresStore {
  /// The present moment. Starts another epoch if the server was replaced.
  func moment(_ connection: PostgresConnection) throws -> HistoryMoment {
    let moment = try presentMoment(connection)
    guard moment.isReplaced else { return moment }
    // The epoch must be visible to the transaction around this call.
    guard !connection.isInTransaction else { throw ServerReplaced() }
    try startEpoch(on: moment.server ?? "", connection)
    return try presentMoment(connection)
  }

  private func presentMoment(_ connection: PostgresConnection) throws -> HistoryMoment {
    let statement = PostgresStatement("SELECT \(HistoryMoment.columns(commits))")
    let found = try connection.rows(statement) { try HistoryMoment($0, place: pool.place) }
    guard let moment = found.first else { throw PostgresError(.connectionLost, "\(pool.place) has returned no row") }
    try note(moment.state, connection)
    return moment
  }

  /// Remembers the epoch. The row numbers of an earlier epoch may be given again.
  ///
  /// - Throws: as ``checkGeneration()``.
  func note(_ state: HistoryState, _ connection: PostgresConnection) throws {
    if state.generation != generation.load(ordering: .relaxed) { try checkGeneration(connection) }
    if epoch.exchange(state.epoch, ordering: .relaxed) != state.epoch { keys.forget() }
  }

  /// The server of a connection and its instance, which do not change.
  func server(of connection: PostgresConnection) throws -> String {
    if let known = connection.server { return known }
    let found = try connection.rows(PostgresStatement("SELECT \(commits.server), \(commits.instance)")) {
      "\($0.string(0) ?? "") \($0.string(1) ?? "")"
    }
    connection.server = found.first
    return found.first ?? ""
  }

  /// Starts an epoch on a server, unless another program has done so.
  private func startEpoch(on server: String, _ connection: PostgresConnection) throws {
    guard configuration.allowsSave else {
      throw SwiftDataError.historyTokenExpired.explained(
        "the server was replaced by a copy, and this program may only read: open the store with a program that may "
          + "write", path: pool.place)
    }
    try changeHistory(connection) { state in
      guard state.server != server else { return }
      try lockHistory(connection)
      try state.startEpoch(after: lastNumber(connection))
      state.server = server
    }
  }

  /// The number of the last transaction of the history; 0 if missing.
  func lastNumber(_ connection: PostgresConnection) throws -> Int64 {
    let query = PostgresStatement("SELECT max(\"id\") FROM \(name: tables.transactions)")
    return try connection.rows(query) { $0.integer(0) }.first ?? 0
  }

  /// Waits for the transactions that write to the history, and keeps others from starting until the end of the
  /// transaction. The last number separates the transactions of earlier epochs then.
  func lockHistory(_ connection: PostgresConnection) throws {
    try connection.run([PostgresStatement(commits.lock)])
  }

  /// Changes the state of the history in a transaction. It is repeated if another one has caused an error.
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
  /// Changes the state in the transaction of a connection.
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
  /// The part of a statement's snapshot that a crash of the server cannot lose: up to the last transaction of the history.
  ///
  /// - Parameter last: see ``CommitOrder/lastTransaction``.
  func kept(_ last: String?, _ state: HistoryState) -> Self {
    let parts = (last ?? "").split(separator: "/")
    guard parts.count == 2, let xid = UInt64(parts[0]), xid >= state.floorXID else {
      return through(state.floorXID, nil)
    }
    return through(xid, String(parts[1]))
  }
}

/// Thrown out of a transaction that has found the server to be another one than before.
struct ServerReplaced: Error {}
