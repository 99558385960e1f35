import Foundation
import Synchronization
public import Trellis

extension PostgresStore: HistoryProviding {
  /// The type of the store's transactions.
  public typealias HistoryType = DefaultHistoryTransaction

  /// The type of the store's transactions.
  public static var historyType: DefaultHistoryTransaction.Type { DefaultHistoryTransaction.self }

  /// The transactions that match, sorted and limited as asked; without an order, as they were saved.
  ///
  /// - Throws: `SwiftDataError.historyTokenExpired` when the predicate asks for what came after a token, and part of
  ///   that was deleted; ``PostgresError``.
  public func fetchHistory(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  ) throws -> [DefaultHistoryTransaction] {
    let query = HistoryQuery(descriptor, store: identifier)
    return try readingHistory { connection, moment in
      let page = HistoryPage(query, moment, commits, store: identifier)
      try check(query.beginnings, page, connection)
      return try transactions(query, page, connection).map(\.transaction)
    }
  }

  /// Forgets the transactions that match; models stay as they are. Tokens of positions before the last one that was
  /// forgotten are expired then.
  ///
  /// - Throws: ``PostgresError``.
  public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    try checkWritable()
    let query = HistoryQuery(descriptor, store: identifier)
    try pool.withConnection { connection in
      let page = HistoryPage(query, try moment(connection), commits, store: identifier)
      try changeHistory(connection) { state in
        let keys = try transactions(query, page, connection).map(\.transaction.id)
        guard !keys.isEmpty else { return }
        try forget(where: "\"id\" = ANY (\(value: .list(keys.map { .integer($0) }))::bigint[])", &state, connection)
      }
    }
  }

  /// Runs `body` in a transaction that reads one state of the database, with the moment of that state.
  func readingHistory<Result>(_ body: (PostgresConnection, HistoryMoment) throws -> Result) throws -> Result {
    do {
      return try readingOneState { try body($0, moment($0)) }
    } catch is ServerReplaced {
      try reading { _ = try moment($0) }
      return try readingOneState { try body($0, moment($0)) }
    }
  }

  package func historyReach() throws -> HistoryReach? {
    try readingHistory { connection, moment in
      var floor = moment.state.floor
      var last: Int64 = 0
      try connection.run(
        PostgresStatement(
          """
          SELECT (SELECT max("id") FROM \(name: tables.transactions)),
          (SELECT max("id") FROM \(name: tables.transactions) WHERE "changes" IS NULL AND "process" <> '')
          """, dialect)
      ) { row in
        last = row.integer(0) ?? 0
        floor = max(floor, row.integer(1) ?? 0)
      }
      var reach = HistoryReach()
      if floor > 0 { reach.floor = moment.position(floor, seen: nil) }
      reach.last = moment.last(max(last, floor))
      return reach
    }
  }

  /// A transaction as the tables have it.
  struct HistoryRow {
    var transaction: DefaultHistoryTransaction
    /// The transaction ID that snapshots are asked for.
    let xid: UInt64
    let save: String
    let bytes: [UInt8]
  }

  /// The transactions within the limits of a query, without their changes.
  func rows(
    _ query: HistoryQuery, _ page: HistoryPage, _ connection: PostgresConnection
  ) throws -> [HistoryRow] {
    var found: [HistoryRow] = []
    let columns: SQLFragment =
      "\"id\", \(commits.xid())::text AS \"xid\", \"save\", \"time\", \"author\", \"bundle\", \"process\", \"changes\""
    let fragment = query.fragment(
      columns, from: tables.transactions, where: page.condition(query.bounds), position: page.order)
    try connection.run(try statement(fragment)) { row in
      let number = row.integer(0) ?? 0
      let xid = page.moment.state.xid(of: number, row.string(1).flatMap { UInt64($0) } ?? 0)
      let transaction = DefaultHistoryTransaction(
        author: row.string(4), bundleIdentifier: row.string(5) ?? "", processIdentifier: row.string(6) ?? "",
        storeIdentifier: identifier, timestamp: Date(timeIntervalSinceReferenceDate: row.real(3) ?? 0), changes: [],
        isComplete: true, token: page.token(of: number, xid: xid), transactionIdentifier: number)
      found.append(
        HistoryRow(
          transaction: transaction, xid: xid, save: row.string(2) ?? "", bytes: row.blob(7).map { [UInt8]($0) } ?? []))
    }
    return found
  }

  private func transactions(
    _ query: HistoryQuery, _ page: HistoryPage, _ connection: PostgresConnection
  ) throws -> [HistoryRow] {
    let filter = query.descriptor.predicate.map { MemoryFilter($0) }
    var matches: [HistoryRow] = []
    for var candidate in try rows(query, page, connection) {
      if query.readsChanges { try read(&candidate, connection) }
      if let filter {
        var judged = candidate.transaction
        judged.token = judged.token.judged(page.moment.state.mark(of: judged.id, candidate.xid))
        guard try filter.matches(judged) else { continue }
      }
      if !query.readsChanges { try read(&candidate, connection) }
      matches.append(candidate)
      if query.isSorted, matches.count == query.limit { break }
    }
    guard !query.isSorted else { return matches }
    var sorted = matches.map(\.transaction)
    sorted.sort(by: query.descriptor.sortBy)
    let byNumber = Dictionary(matches.map { ($0.transaction.id, $0) }, uniquingKeysWith: { first, _ in first })
    return sorted.prefix(query.limit).compactMap { byNumber[$0.id] }
  }

  /// Decodes the changes of a transaction.
  private func read(_ found: inout HistoryRow, _ connection: PostgresConnection) throws {
    let number = found.transaction.id
    guard var reader = HistoryReader(found.bytes), let decoder = try decoder(reader.epoch, connection) else {
      throw damaged(number)
    }
    let tombstones =
      reader.flags.contains(.hasTombstones) ? try self.tombstones(of: found.save, connection) : [:]
    var changes: [HistoryChange] = []
    while let group = try reader.next() {
      try decoder.read(group, of: number, tombstones, into: &changes)
    }
    let own = found.transaction
    found.transaction = DefaultHistoryTransaction(
      author: own.author, bundleIdentifier: own.bundleIdentifier, processIdentifier: own.processIdentifier,
      storeIdentifier: own.storeIdentifier, timestamp: own.timestamp, changes: changes,
      isComplete: !reader.flags.contains(.isIncomplete), token: own.token, transactionIdentifier: own.id)
  }

  private func damaged(_ number: Int64) -> SwiftDataError {
    SwiftDataError.invalidTransactionFetchRequest.explained(
      "what the history of store '\(configuration.name)' says of transaction \(number) cannot be read: forget the "
        + "history up to there with 'deleteHistory'; the models are not concerned", path: pool.place)
  }

  func decoder(_ epoch: Int, _ connection: PostgresConnection) throws -> HistoryDecoder? {
    if let known = decoders.withLock({ $0[epoch] }) { return known }
    var names: HistoryNames?
    try connection.run(
      PostgresStatement(
        "SELECT \"names\" FROM \(name: tables.names) WHERE \"epoch\" = \(value: .integer(Int64(epoch)))", dialect)
    ) { row in names = row.string(0).flatMap { HistoryNames(text: $0) } }
    guard let names else { return nil }
    let made = HistoryDecoder(names, plans)
    decoders.withLock { $0[epoch] = made }
    return made
  }

  /// The preserved values of the rows that a save has deleted.
  private func tombstones(
    of save: String, _ connection: PostgresConnection
  ) throws -> [TombstoneReader.Key: [SQLValue]] {
    var values: [TombstoneReader.Key: [SQLValue]] = [:]
    try connection.run(
      PostgresStatement(
        """
        SELECT "entity", "key", "values" FROM \(name: tables.tombstones) WHERE "save" = \(value: .text(save))
        """, dialect)
    ) { row in
      let entity = Int(row.integer(0) ?? 0)
      guard let text = row.string(2), let stored = try? JSONDecoder().decode([String?].self, from: Data(text.utf8))
      else { return }
      values[TombstoneReader.Key(entity: entity, row: row.integer(1) ?? 0)] = stored.map { value in
        let parts = (value ?? "").split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let type = PostgresType(rawValue: String(parts[0])) else { return .null }
        return type.value(ofPreserved: parts[1])
      }
    }
    return values
  }
}

extension PostgresType {
  /// The stored form of a value from that of a tombstone, see ``PostgresDialect/preserved(_:_:exactText:)``.
  fileprivate func value(ofPreserved preserved: Substring) -> SQLValue {
    let digits = preserved.compactMap(\.hexDigitValue)
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    if preserved.first == "=" { return value(ofText: String(decoding: bytes, as: UTF8.self)) }
    func number<T: FixedWidthInteger>(_: T.Type) -> T { bytes.reduce(0) { $0 << 8 | T(truncatingIfNeeded: $1) } }
    func text(_ body: (UnsafeRawBufferPointer, inout [UInt8]) -> Void) -> String {
      var text: [UInt8] = []
      bytes.withUnsafeBytes { body($0, &text) }
      return String(decoding: text, as: UTF8.self)
    }
    switch self {
    case .boolean: return .integer(bytes.first == 0 ? 0 : 1)
    case .bigint: return .integer(number(Int64.self))
    case .unsigned:
      let digits = text { _ = NumericCoding.appendText(of: $0, to: &$1) }
      return .integer(Int64(bitPattern: (UInt64(digits) ?? 0) ^ (1 << 63)))
    case .numeric: return .text(text { _ = NumericCoding.appendText(of: $0, to: &$1) })
    case .double:
      let value = Double(bitPattern: number(UInt64.self))
      return value.isNaN ? .text("NaN") : .real(value)
    case .real:
      let value = Double(Float(bitPattern: number(UInt32.self)))
      return value.isNaN ? .text("NaN") : .real(value)
    case .text, .json: return .text(String(decoding: bytes, as: UTF8.self))
    case .uuid: return .text(text { UUIDText.append($0, to: &$1) })
    case .bytea: return .blob(bytes)
    }
  }

  private func value(ofText text: String) -> SQLValue {
    switch self {
    case .boolean: .integer(text.hasPrefix("t") ? 1 : 0)
    case .bigint: .integer(Int64(text) ?? 0)
    case .unsigned: .integer(Int64(bitPattern: (UInt64(text) ?? 0) ^ (1 << 63)))
    case .double: Double(text).flatMap { $0.isNaN ? nil : .real($0) } ?? .text("NaN")
    case .real: Float(text).flatMap { $0.isNaN ? nil : .real(Double($0)) } ?? .text("NaN")
    case .uuid: .text(text.uppercased())
    case .numeric, .text, .json, .bytea: .text(text)
    }
  }
}

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
