import Trellis

/// The order in which a request delivers transactions, and their positions.
///
/// After a token, those come first that the present snapshot of the token contains, by their numbers, and then the later
/// ones. A page of a request can therefore end anywhere, and the token of its last transaction is enough to continue.
struct HistoryPage {
  let moment: HistoryMoment
  private let commits: CommitOrder
  /// The token that the request begins after.
  private let beginning: HistoryPosition
  private let seen: TransactionSnapshot?
  /// The snapshot of the token; nil without a token.
  private let current: TransactionSnapshot?
  private let early: DefaultHistoryToken
  private let late: DefaultHistoryToken

  init(_ query: HistoryQuery, _ moment: HistoryMoment, _ commits: CommitOrder, store: String) {
    self.moment = moment
    self.commits = commits
    beginning = query.beginnings.min() ?? .beginning
    var finished: TransactionSnapshot?
    if case .reader(_, let seen, let current)? = beginning.mark {
      // The present snapshot of a standby can lack what an earlier one of its primary has.
      finished = seen.map(current.union) ?? current
      self.seen = seen
      self.current = current
      early = DefaultHistoryToken(
        store: store, position: HistoryPosition(0, .reader(epoch: moment.state.epoch, seen: seen, current: current)))
    } else {
      seen = nil
      current = nil
      early = DefaultHistoryToken(store: store, position: moment.position(0, seen: nil))
    }
    late = DefaultHistoryToken(store: store, position: moment.position(0, seen: finished))
  }

  /// The token of a transaction.
  func token(of number: Int64, xid: UInt64) -> DefaultHistoryToken {
    let isEarly = current?.contains(moment.state.xid(of: number, xid)) ?? true
    return (isEarly ? early : late).at(number)
  }

  /// The columns that tell the order of tokens.
  var order: [SQLFragment] {
    guard let current else { return ["\"id\""] }
    return ["(\(isNew) AND NOT \(commits.isVisible(in: current)))", "\"id\""]
  }

  private var isNew: SQLFragment { "\"id\" > \(value: .integer(moment.state.start))::bigint" }

  /// What the limits of a request say of transaction IDs; nil if they say nothing.
  func condition(_ bounds: HistoryBounds) -> SQLFragment? {
    // A standby can lag behind a token of its primary. It lacks transactions then that the token counts as finished, and
    // cannot tell which. Every transaction that it delivers could be later than one of those, so it delivers none.
    if moment.isStandby, let current, current.end > moment.snapshot.first { return "FALSE" }
    var terms: [SQLFragment] = []
    let isOfEpoch = bounds.epochs.allSatisfy { $0 == moment.state.epoch }
    if isOfEpoch, bounds.xids.least > 0 {
      // Every snapshot contains the transactions of earlier epochs.
      terms += [isNew, commits.isAtLeast(bounds.xids.least)]
    }
    if isOfEpoch, bounds.xids.greatest < .max {
      terms.append("(NOT \(isNew) OR \(commits.isBelow(bounds.xids.greatest)))")
    }
    if moment.isStandby { terms.append("(NOT \(isNew) OR \(commits.isVisible(in: moment.snapshot)))") }
    return terms.isEmpty ? nil : terms.joined(separator: " AND ")
  }

  /// The condition for transactions after a position.
  func isAfter(_ position: HistoryPosition) -> SQLFragment {
    guard case .reader(_, let seen, let current)? = position.mark else {
      return "\"id\" > \(value: .integer(position.number))::bigint"
    }
    let isLater: SQLFragment = """
      ("id" > \(value: .integer(position.number))::bigint OR (\(isNew) AND NOT \(commits.isVisible(in: current))))
      """
    guard let seen else { return isLater }
    return """
      \(isNew) AND \(commits.isAtLeast(seen.first)) AND NOT \(commits.isVisible(in: seen)) AND \(isLater)
      """
  }

  /// The condition that a primary lacks the last transaction of a position, for example after a crash.
  func isLost(_ position: HistoryPosition) -> SQLFragment {
    // Forgotten transactions are on disk. A standby can lag behind.
    guard case .reader(_, _, let current)? = position.mark, let save = current.save, !moment.isStandby,
      current.end > 1, current.end - 1 > moment.state.floorXID
    else { return "FALSE" }
    return """
      NOT EXISTS (SELECT 1 FROM \(name: commits.tables.transactions) WHERE \(isNew)
      AND \(commits.isAtLeast(current.end - 1)) AND \(commits.isBelow(current.end))
      AND "save"::text = \(value: .text(save)))
      """
  }
}

extension PostgresStore {
  /// Whether the history has everything after some positions.
  ///
  /// - Throws: `SwiftDataError.historyTokenExpired`.
  func check(_ positions: [HistoryPosition], _ page: HistoryPage, _ connection: PostgresConnection) throws {
    let moment = page.moment
    let state = moment.state
    for position in positions {
      var hasFloor = state.floor == 0
      if case .reader(let epoch, let seen, let current)? = position.mark {
        // Tokens from standbys have no save, nor do tokens in the first format.
        let isPast = moment.isStandby || current.save != nil || current.end <= moment.present.end
        guard epoch == state.epoch, isPast else {
          throw SwiftDataError.historyTokenExpired.explained(
            "the token is from an earlier epoch of the server: the database was replaced by a copy, such as a promoted "
              + "standby or a backup, or its models were erased. Read the models again, and go on from "
              + "'history.latestToken()'", path: pool.place)
        }
        hasFloor =
          hasFloor || state.floorXID < seen?.first ?? 0
          || (state.floorXID < current.first && state.floor <= position.number)
      } else if position.number != 0 {
        throw SwiftDataError.historyTokenExpired.explained(
          "the token has a number only, so it is from another kind of store: read the models again, and go on from "
            + "'history.latestToken()'", path: pool.place)
      }
      guard hasFloor else { throw expired("up to transaction \(state.floor)") }
      var (isIncomplete, isLost) = (false, false)
      // Transactions that were forgotten while others were running.
      try connection.run(
        PostgresStatement(
          """
          SELECT EXISTS (SELECT 1 FROM \(name: tables.transactions)
          WHERE "changes" IS NULL AND "process" <> '' AND \(page.isAfter(position))), \(page.isLost(position))
          """, dialect)
      ) { (isIncomplete, isLost) = ($0.integer(0) == 1, $0.integer(1) == 1) }
      guard !isLost else {
        throw SwiftDataError.historyTokenExpired.explained(
          "the server has lost transactions that the token contains: it crashed before they were on disk, or an older copy "
            + "took its place. Read the models again, and go on from 'history.latestToken()'", path: pool.place)
      }
      guard !isIncomplete else { throw expired("in part") }
    }
  }

  private func expired(_ part: String) -> SwiftDataError {
    SwiftDataError.historyTokenExpired.explained(
      "of what came after the token, the history of store '\(configuration.name)' was deleted \(part): read the models "
        + "again, and go on from 'history.latestToken()'", path: pool.place)
  }
}
