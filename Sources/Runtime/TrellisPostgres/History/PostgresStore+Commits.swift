import Foundation
import Synchronization
package import Trellis

/// Detects external transactions, which other processes or other stores in this process have committed.
///
/// Each check reads the transactions that are not in the previous check's snapshot. It takes one round trip, or none if
/// it is part of a save; see ``CommitGuard``. The first check that finds transactions takes two round trips, because
/// the first query only determines whether there are any.
extension PostgresStore: CommitMonitor {
  package var mayHaveExternalCommits: Bool { true }
  package var isBlind: Bool { true }
  package func makeCommitMonitor() -> (any CommitMonitor)? { self }

  package func externalCommits() throws -> ExternalCommits? {
    // In a transaction, all reads use the same snapshot.
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
      lastLook.withLock { $0 = $0 ?? moment }
      return nil
    }
    if !foundCommits.load(ordering: .relaxed), let look = CommitGuard(self) {
      var isCurrent = false
      try connection.run(look.question) { row in
        isCurrent = row.integer(1) == 0
        if isCurrent { look.record(row) }
      }
      if isCurrent { return nil }
    }
    var (moment, rows) = try look(after: last.present, last.state, connection)
    if moment.isOtherInstance(than: last) {
      (moment, rows) = try look(after: last.snapshot, last.state, connection)
    }
    // A read-only process cannot start an epoch, so it reads all models again.
    let isLost = moment.isReplaced && !configuration.allowsSave && moment.server != last.server
    if moment.isReplaced, configuration.allowsSave { moment = try self.moment(connection) }
    let state = moment.state
    try record(state, connection)
    var decoders: [Int: HistoryDecoder] = [:]
    for epoch in Set(rows.compactMap { HistoryReader($0.changes ?? [])?.epoch }) {
      decoders[epoch] = try decoder(epoch, connection)
    }
    // A concurrent thread may have checked at the same time. Each transaction is reported once.
    guard let known = advanceLook(to: moment) else { return nil }
    let isRestarted = moment.isOtherInstance(than: known)
    if isRestarted { keys.forget() }
    // The tokens exclude IDs that a crash can lose, because apps keep tokens.
    let seen = isRestarted ? known.snapshot : known.present.through(moment.snapshot.end &- 1, nil)
    var found = ExternalCommits()
    for row in rows where !seen.contains(row.xid) && !isOwn(row) {
      let transaction = ExternalTransaction(
        token: token(moment.position(row.id, seen: seen)),
        position: HistoryPosition(row.id, state.mark(of: row)), author: row.author)
      try found.add(transaction, row.changes ?? []) { decoders[$0] }
    }
    let isForgotten = known.state.floorXID < state.floorXID && state.floorXID >= known.present.first
    if isLost || isRestarted || known.state.epoch != state.epoch || isForgotten { found.addGap() }
    return found.isGap || !found.transactions.isEmpty ? found : nil
  }

  /// Records a check.
  ///
  /// - Returns: The previous check; `nil` if a concurrent thread has recorded a later check.
  @discardableResult func advanceLook(to now: HistoryMoment) -> HistoryMoment? {
    lastLook.withLock { look in
      let before = look ?? now
      let isOther =
        now.isOtherInstance(than: before)
        || (before.server != nil && now.server != nil && before.server != now.server)
      guard isOther || before.state.epoch < now.state.epoch || before.present.isBefore(now.present) else {
        return nil
      }
      look = now
      return before
    }
  }

  /// True for a save by this store.
  func isOwn(_ row: HistoryRow) -> Bool { row.save.flatMap { UUID(uuidString: $0) }.map(saves.range.contains) ?? false }

  private func look(
    after snapshot: TransactionSnapshot, _ state: HistoryState, _ connection: PostgresConnection
  ) throws -> (moment: HistoryMoment, rows: [HistoryRow]) {
    let statement = PostgresStatement(
      """
      SELECT s.*, \(HistoryRow.columns(commits, of: "h.")) FROM (SELECT \(HistoryMoment.columns(commits))) AS s
      LEFT JOIN \(name: tables.transactions) AS h ON h."process" <> ''
      AND h."id" > \(value: .integer(state.start))::bigint
      AND \(commits.isAtLeast(snapshot.first, of: "h.")) AND NOT \(commits.isVisible(in: snapshot, of: "h."))
      ORDER BY h."id"
      """)
    var moment: HistoryMoment?
    var rows: [HistoryRow] = []
    try connection.run(statement) { row in
      moment = try moment ?? HistoryMoment(row, place: pool.place)
      if let found = HistoryRow(row, at: HistoryMoment.columnCount) { rows.append(found) }
    }
    guard let moment else { throw PostgresError(.connectionLost, "\(pool.place) has returned no row") }
    return (moment, moment.isStandby ? rows.filter { moment.snapshot.contains($0.xid) } : rows)
  }

  package func signal(_ body: @escaping @Sendable () -> Void) -> any CommitSignal { PostgresSignal(self, body) }

  package func transactions(after token: DefaultHistoryToken) throws -> [ExternalTransaction] {
    guard token[identifier] != nil else { return [] }
    let query = HistoryQuery(after: token, store: identifier)
    return try readingHistory { connection, moment in
      let page = HistoryPage(query, moment, self, connection)
      try page.check(query.beginnings)
      return try page.externalCommits(query).transactions
    }
  }
}
