import Foundation
package import Trellis

/// Orders a request's transactions and determines their positions.
///
/// A request that begins after a token first returns the transactions in the token's current snapshot, by number, and
/// then the later ones. A page can therefore end anywhere, and its last transaction's token is sufficient to continue.
struct HistoryPage: HistorySource {
  let store: PostgresStore
  let connection: PostgresConnection
  let moment: HistoryMoment
  /// The snapshot of the token after which the request begins; `nil` if there is no token.
  private let current: TransactionSnapshot?
  private let early: HistoryMark?
  private let late: HistoryMark?

  init(_ query: HistoryQuery, _ moment: HistoryMoment, _ store: PostgresStore, _ connection: PostgresConnection) {
    self.store = store
    self.connection = connection
    self.moment = moment
    guard case .reader(_, let seen, let current)? = query.beginnings.min()?.mark else {
      self.current = nil
      early = moment.position(0, seen: nil).mark
      late = early
      return
    }
    self.current = current
    early = .reader(epoch: moment.state.epoch, seen: seen, current: current)
    // A standby's current snapshot may lack transactions that an earlier snapshot of the primary contains.
    late = moment.position(0, seen: seen.map(current.union) ?? current).mark
  }

  var identifier: String { store.identifier }
  var place: (store: String, path: String?) { (store.configuration.name, store.pool.place) }
  private var commits: CommitOrder { store.commits }

  func visitRows(_ query: HistoryQuery, _ body: (HistoryRow) throws -> Bool) throws {
    let fragment = query.fragment(
      HistoryRow.columns(commits), from: store.tables.transactions, where: condition(query.bounds), position: order)
    for row in try connection.rows(store.statement(fragment), { HistoryRow($0) }) {
      guard try body(row) else { return }
    }
  }

  func position(of row: HistoryRow) -> HistoryPosition { HistoryPosition(row.id, moment.state.mark(of: row)) }

  func token(of row: HistoryRow) -> DefaultHistoryToken {
    let isEarly = current?.contains(moment.state.xid(of: row.id, row.xid)) ?? true
    return store.token(HistoryPosition(row.id, isEarly ? early : late))
  }

  func isOwn(_ row: HistoryRow) -> Bool { store.isOwn(row) }

  func decoder(_ epoch: Int) throws -> HistoryDecoder? { try store.decoder(epoch, connection) }

  func tombstones(of row: HistoryRow) throws -> HistoryDecoder.Tombstones {
    guard let save = row.save else { return [:] }
    var values: HistoryDecoder.Tombstones = [:]
    try connection.run(
      PostgresStatement(
        """
        SELECT "entity", "key", "values" FROM \(name: store.tables.tombstones) WHERE "save" = \(value: .text(save))
        """)
    ) { row in
      guard let entity = row.integer(0), let key = row.integer(1), let text = row.string(2),
        let stored = try? JSONDecoder().decode([String?].self, from: Data(text.utf8))
      else { return }
      values[Int(entity), default: [:]][key] = stored.map { $0.flatMap(PostgresType.value(ofPreserved:)) ?? .null }
    }
    return values
  }

  /// The columns that determine the order of transactions.
  var order: [SQLFragment] {
    guard let current else { return ["\"id\""] }
    return ["(\(isNew) AND NOT \(commits.isVisible(in: current)))", "\"id\""]
  }

  private var isNew: SQLFragment { "\"id\" > \(value: .integer(moment.state.start))::bigint" }

  /// Returns a request's bounds as a condition on transaction IDs; `nil` if there are none.
  func condition(_ bounds: HistoryBounds) -> SQLFragment? {
    // A standby can lag behind a token from its primary. It then lacks transactions that the token counts as finished,
    // and cannot identify them. Any transaction that it returned could be later than a missing transaction, so it
    // returns none.
    if moment.isStandby, let current, current.end > moment.snapshot.first { return "FALSE" }
    var terms: [SQLFragment] = []
    if bounds.leastXID > 0, bounds.epochs.allSatisfy({ $0 == moment.state.epoch }) {
      // Every snapshot contains all transactions from earlier epochs.
      terms += [isNew, commits.isAtLeast(bounds.leastXID)]
    }
    if moment.isStandby { terms.append("(NOT \(isNew) OR \(commits.isVisible(in: moment.snapshot)))") }
    return terms.isEmpty ? nil : terms.joined(separator: " AND ")
  }

  /// Returns the condition for transactions after a position.
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

  /// Returns a condition that is true if a primary lacks the position's last transaction, for example after a crash.
  func isLost(_ position: HistoryPosition) -> SQLFragment {
    // Forgotten transactions are on disk, and a standby can lag behind, so these cases do not count as a loss.
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

extension HistoryPage {
  /// Checks that the history is complete after each position.
  ///
  /// - Throws: `SwiftDataError.historyTokenExpired`.
  func check(_ positions: [HistoryPosition]) throws {
    let state = moment.state
    for position in positions {
      var hasFloor = state.floor == 0
      if case .reader(let epoch, let seen, let current)? = position.mark {
        // Tokens from standbys, and tokens in the first format, do not identify a save.
        let isPast = moment.isStandby || current.save != nil || current.end <= moment.present.end
        guard epoch == state.epoch, isPast else {
          throw expired(
            "the token is from an earlier epoch of the server: the database was replaced by a copy, such as a promoted "
              + "standby or a backup, or its models were erased")
        }
        hasFloor =
          hasFloor || state.floorXID < seen?.first ?? 0
          || (state.floorXID < current.first && state.floor <= position.number)
      } else if position.number != 0 {
        throw expired("the token contains only a number, so it is from a different kind of store")
      }
      guard hasFloor else { throw deleted("up to transaction \(state.floor)") }
      // Detects transactions that were forgotten while others were running.
      let query = PostgresStatement(
        """
        SELECT EXISTS (SELECT 1 FROM \(name: store.tables.transactions)
        WHERE "changes" IS NULL AND "process" <> '' AND \(isAfter(position))), \(isLost(position))
        """)
      let found = try connection.rows(query) { (isIncomplete: $0.integer(0) == 1, isLost: $0.integer(1) == 1) }.first
      guard found?.isLost != true else {
        throw expired(
          "the server has lost transactions that the token contains: it crashed before they were on disk, or was "
            + "replaced by an older copy")
      }
      guard found?.isIncomplete != true else { throw deleted("in part") }
    }
  }

  private func deleted(_ part: String) -> SwiftDataError {
    expired("the history of store '\(place.store)' after the token was deleted \(part)")
  }
}

extension HistoryRow {
  /// Returns the columns that ``init(_:at:)`` reads.
  ///
  /// - Parameter table: The table alias, followed by a dot; may be empty.
  static func columns(_ commits: CommitOrder, of table: SQLFragment = "") -> SQLFragment {
    let others = ["save", "time", "author", "bundle", "process", "changes"].map { "\(table)\(name: $0)" as SQLFragment }
    return "\(table)\"id\", \(commits.xid(of: table))::text AS \"xid\", \(others.joined(separator: ", "))"
  }

  /// Reads a history row; `nil` if the columns are NULL.
  init?(_ row: ResultRow, at first: Int32 = 0) {
    guard let number = row.integer(first) else { return nil }
    self.init()
    id = number
    xid = row.string(first + 1).flatMap { UInt64($0) } ?? 0
    save = row.string(first + 2)
    time = row.real(first + 3) ?? 0
    author = row.string(first + 4)
    program = row.string(first + 5)
    process = row.string(first + 6)
    changes = row.blob(first + 7).map { [UInt8]($0) }
  }
}

extension PostgresType {
  /// Converts a tombstone value to its stored form. See ``PostgresLayout/preserved(_:in:_:)``.
  package static func value(ofPreserved preserved: String) -> SQLValue? {
    let parts = preserved.unicodeScalars.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let type = PostgresType(rawValue: String(parts[0])) else { return nil }
    let text = String(parts[1])
    switch type {
    case .boolean: return .integer(text.hasPrefix("t") ? 1 : 0)
    case .bigint: return Int64(text).map { .integer($0) }
    case .unsigned: return UInt64(text).map { .integer(Int64(bitPattern: $0 ^ (1 << 63))) }
    case .bytea: return .blob(bytes(text))
    case .double where text.hasPrefix("x"), .real where text.hasPrefix("x"):
      return SQLValue(number: Double(bitPattern: bytes(text).reduce(0) { $0 << 8 | UInt64($1) }))
    case .double, .real:
      return (type == .real ? Float(text).map(Double.init) : Double(text)).map(SQLValue.init(number:))
    case .uuid: return .text(text.uppercased())
    case .numeric, .text, .json, .jsonb: return .text(text)
    }
  }

  /// Decodes bytes from text such as `x0a1b`.
  private static func bytes(_ text: String) -> [UInt8] {
    let digits = text.dropFirst().compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
