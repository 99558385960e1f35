import Foundation
import Synchronization
package import Trellis

/// The last look of a store at the transactions of others.
struct LastLook: Sendable {
  /// Everything that the look saw. The IDs mean nothing after a crash of the server.
  let snapshot: TransactionSnapshot
  /// The concurrent transactions that were found, see ``HistoryMoment/snapshot``.
  let kept: TransactionSnapshot
  let state: HistoryState
  /// The server; nil for a standby.
  let server: String?
  /// See ``CommitOrder/instance``.
  let instance: String?
}

extension LastLook {
  init(_ moment: HistoryMoment) {
    self.init(
      snapshot: moment.present, kept: moment.snapshot, state: moment.state, server: moment.server,
      instance: moment.instance)
  }

  /// True if the server has restarted or crashed between two looks. It can have lost what the earlier one has seen.
  fileprivate func isOtherInstance(than other: Self) -> Bool {
    guard let instance, let former = other.instance else { return false }
    return instance != former
  }
}

/// Finds the transactions of others.
///
/// Each look asks for the transactions that the snapshot of the last look does not contain. It costs one round trip, unless
/// it is part of a save, see ``CommitGuard``. The first look that finds something costs two: the first one asks only whether
/// there is something.
extension PostgresStore: CommitMonitor {
  package var mayHaveExternalCommits: Bool { true }
  package var isBlind: Bool { true }
  package func makeCommitMonitor() -> (any CommitMonitor)? { self }

  package func externalCommits() throws -> ExternalCommits? {
    // In a transaction, everything is read from one snapshot.
    try reading { connection in
      guard !connection.isInTransaction else { return nil }
      let found = try externalCommits(connection)
      foundCommits.store(found != nil, ordering: .relaxed)
      return found
    }
  }

  private func externalCommits(_ connection: PostgresConnection) throws -> ExternalCommits? {
    guard let last = lastLook.withLock({ $0 }) else {
      let moment = try moment(connection)
      lastLook.withLock { $0 = $0 ?? LastLook(moment) }
      return nil
    }
    if !foundCommits.load(ordering: .relaxed), let look = CommitGuard(self) {
      var isCurrent = false
      try connection.run(look.question) { row in
        isCurrent = row.integer(1) == 0
        if isCurrent { look.note(row) }
      }
      if isCurrent { return nil }
    }
    var (moment, rows) = try look(after: last.snapshot, last.state, connection)
    if LastLook(moment).isOtherInstance(than: last) {
      (moment, rows) = try look(after: last.kept, last.state, connection)
    }
    // A program that only reads cannot start an epoch. It reads everything again.
    let isLost = moment.isReplaced && !configuration.allowsSave && moment.server != last.server
    if moment.isReplaced, configuration.allowsSave { moment = try self.moment(connection) }
    let state = moment.state
    try note(state, connection)
    var decoders: [Int: HistoryDecoder] = [:]
    for epoch in Set(rows.compactMap { HistoryReader($0.bytes)?.epoch }) {
      decoders[epoch] = try decoder(epoch, connection)
    }
    // Another thread may have looked at the same time. Each transaction is reported once.
    let now = LastLook(moment)
    guard let known = advanceLook(to: now) else { return nil }
    let isRestarted = now.isOtherInstance(than: known)
    if isRestarted { keys.forget() }
    // Without IDs that a crash can lose, because programs keep tokens.
    let seen = isRestarted ? known.kept : known.snapshot.through(moment.snapshot.end &- 1, nil)
    var found = ExternalCommits()
    for row in rows where !seen.contains(row.xid) && !saves.contains(row.save) {
      let transaction = ExternalTransaction(
        token: DefaultHistoryToken(store: identifier, position: moment.position(row.number, seen: seen)),
        position: HistoryPosition(row.number, state.mark(of: row.number, row.xid)), author: row.author)
      try found.add(transaction, row.bytes) { decoders[$0] }
    }
    let isForgotten = known.state.floorXID < state.floorXID && state.floorXID >= known.snapshot.first
    if isLost || isRestarted || known.state.epoch != state.epoch || isForgotten { found.addGap() }
    return found.isGap || !found.transactions.isEmpty ? found : nil
  }

  /// Remembers a look.
  ///
  /// - Returns: the look before; nil if another thread has remembered a later one.
  @discardableResult func advanceLook(to now: LastLook) -> LastLook? {
    lastLook.withLock { look in
      let before = look ?? now
      let isOther =
        now.isOtherInstance(than: before)
        || (before.server != nil && now.server != nil && before.server != now.server)
      guard isOther || before.state.epoch < now.state.epoch || before.snapshot.isBefore(now.snapshot) else {
        return nil
      }
      look = now
      return before
    }
  }

  /// A transaction that a look has found.
  private struct CommitRow {
    let number: Int64
    let xid: UInt64
    let save: UUID
    let author: String?
    /// Empty if the transaction is forgotten already.
    let bytes: [UInt8]

    init?(_ row: ResultRow) {
      let first = HistoryMoment.columnCount
      guard let number = row.integer(first), let xid = row.string(first + 1).flatMap({ UInt64($0) }),
        let save = row.string(first + 2).flatMap({ UUID(uuidString: $0) })
      else { return nil }
      self.number = number
      self.xid = xid
      self.save = save
      author = row.string(first + 3)
      bytes = row.blob(first + 4).map { [UInt8]($0) } ?? []
    }
  }

  private func look(
    after snapshot: TransactionSnapshot, _ state: HistoryState, _ connection: PostgresConnection
  ) throws -> (moment: HistoryMoment, rows: [CommitRow]) {
    let statement = PostgresStatement(
      """
      SELECT s.*, h."id", \(commits.xid(of: "h."))::text, h."save", h."author", h."changes" FROM (SELECT \(HistoryMoment.columns(commits))) AS s
      LEFT JOIN \(name: tables.transactions) AS h ON h."process" <> ''
      AND h."id" > \(value: .integer(state.start))::bigint
      AND \(commits.isAtLeast(snapshot.first, of: "h.")) AND NOT \(commits.isVisible(in: snapshot, of: "h."))
      ORDER BY h."id"
      """, dialect)
    var moment: HistoryMoment?
    var rows: [CommitRow] = []
    try connection.run(statement) { row in
      let now = try moment ?? HistoryMoment(row, place: pool.place)
      moment = now
      if let found = CommitRow(row), !now.isStandby || now.snapshot.contains(found.xid) { rows.append(found) }
    }
    guard let moment else { throw PostgresError(.connectionLost, "\(pool.place) has returned no row") }
    return (moment, rows)
  }

  package func signal(_ body: @escaping @Sendable () -> Void) -> any CommitSignal { PostgresSignal(self, body) }

  package func transactions(after token: DefaultHistoryToken) throws -> [ExternalTransaction] {
    guard token[identifier] != nil else { return [] }
    let descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token })
    let query = HistoryQuery(descriptor, store: identifier)
    return try readingHistory { connection, moment in
      let page = HistoryPage(query, moment, commits, store: identifier)
      try check(query.beginnings, page, connection)
      var found = ExternalCommits()
      for row in try rows(query, page, connection) where UUID(uuidString: row.save).map(saves.contains) != true {
        let transaction = ExternalTransaction(
          token: row.transaction.token,
          position: HistoryPosition(row.transaction.id, moment.state.mark(of: row.transaction.id, row.xid)),
          author: row.transaction.author)
        try found.add(transaction, row.bytes) { try decoder($0, connection) }
      }
      return found.transactions
    }
  }
}

extension TransactionSnapshot {
  /// True if another snapshot of the same server is later.
  fileprivate func isBefore(_ other: Self) -> Bool {
    HistoryPosition(0, .reader(epoch: 0, seen: nil, current: self))
      < HistoryPosition(0, .reader(epoch: 0, seen: nil, current: other))
  }
}
