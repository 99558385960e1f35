import CSQLite
import Foundation
import Synchronization

/// Writes the history of one store: a row a transaction, inside it.
package final class HistoryLog: Sendable {
  /// The identifier of the store.
  let store: String
  /// Names the version of the schema in ``HistoryTables/names``.
  let epoch: Int
  /// The transactions that the store keeps; nil for all.
  package let limit: HistoryLimit?
  /// As they are numbered.
  let entities: [EntityLayout]
  private let numbers: [ObjectIdentifier: Int]
  /// Where there are few, to look through them takes less time than to hash.
  private let few: [ObjectIdentifier]
  private let roots: [Int]
  /// Whose lists deleted rows leave.
  package let partners: ListPartners
  /// The transactions this store has written, so that others can be distinguished from them.
  let own = OwnTransactions()

  package init(
    _ catalogue: StoreCatalogue, store: String, epoch: Int64, retaining limit: HistoryLimit?,
    dialect: any SQLDialect = SQLiteDialect()
  ) {
    self.store = store
    self.epoch = Int(epoch)
    self.limit = limit
    entities = HistoryNames.ordered(catalogue.layout)
    var numbers: [ObjectIdentifier: Int] = [:]
    var byName: [String: Int] = [:]
    for (number, entity) in entities.enumerated() {
      numbers[ObjectIdentifier(entity.definition)] = number
      byName[entity.name] = number
    }
    self.numbers = numbers
    few = entities.prefix(8).map { ObjectIdentifier($0.definition) }
    partners = ListPartners(catalogue.layout, dialect)
    roots = entities.enumerated().map { byName[$1.rootName] ?? $0 }
  }

  /// The number of an entity of the store.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` for an entity of another catalogue.
  package func number(of entity: EntityLayout) throws -> Int {
    let identifier = ObjectIdentifier(entity.definition)
    if let number = few.firstIndex(of: identifier) ?? numbers[identifier] { return number }
    throw SwiftDataError.unknownSchema.explained(
      "'\(entity.name)' is not one of the models the history of the store was opened with")
  }

  package func root(of number: Int) -> Int { roots[number] }

  /// Who writes: the program and the process.
  package static let program =
    Bundle.main.bundleIdentifier
    ?? CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
  package static let process = String(ProcessInfo.processInfo.processIdentifier)

  /// Takes the changes of a transaction.
  package func writer(hasTombstones: Bool = false, isComplete: Bool = true) -> HistoryWriter {
    var flags: HistoryWriter.Flags = isComplete ? [] : .isIncomplete
    if hasTombstones { flags.insert(.hasTombstones) }
    return HistoryWriter(epoch: epoch, flags)
  }

  /// Writes the row of a transaction.
  ///
  /// - Parameter id: the number that its tombstones have; nil without tombstones.
  /// - Returns: the number of the transaction.
  func write(
    _ writer: HistoryWriter, author: String?, id: Int64?, _ connection: Connection
  ) throws -> Int64 {
    let number = try Self.write(writer.bytes, author: author, id: id, connection)
    own.begin(number)
    if let limit { try prune(to: limit, after: number, connection) }
    return number
  }

  static func write(
    _ changes: [UInt8], author: String?, id: Int64?, _ connection: Connection
  ) throws -> Int64 {
    let statement = try connection.take(insertion)
    defer { connection.giveBack(statement) }
    let handle = statement.handle
    if let id { statement.bind(id, at: HistoryColumn.id.parameter) }
    sqlite3_bind_double(handle, HistoryColumn.time.parameter, Date.timeIntervalSinceReferenceDate)
    if let author { try statement.bind(.text(author), at: HistoryColumn.author.parameter) }
    try statement.bind(.text(program), at: HistoryColumn.bundle.parameter)
    try statement.bind(.text(process), at: HistoryColumn.process.parameter)
    try changes.withUnsafeBytes {
      // SQLite does not copy the bytes, which are valid until the statement has run.
      let result = sqlite3_bind_blob64(
        handle, HistoryColumn.changes.parameter, $0.baseAddress ?? emptyBytes, UInt64($0.count), nil)
      guard result == SQLITE_OK else {
        throw SQLiteError(connection.handle, result: result, sql: statement.sql)
      }
      do {
        try statement.run()
      } catch let error as SQLiteError where error.code.rawValue == SQLITE_MISMATCH {
        // The number after the highest is none.
        throw HistoryTables.exhausted(connection)
      }
    }
    let number = sqlite3_last_insert_rowid(connection.handle)
    guard number < .max else { throw HistoryTables.exhausted(connection) }
    return number
  }

  // After the highest number SQLite itself would continue with any lower one that is free.
  private static let insertion: NumberedText = {
    let values = HistoryColumn.allCases.map { column -> SQLFragment in
      let parameter: SQLFragment = "?\(number: Int(column.parameter))"
      guard column == .id else { return parameter }
      return "ifnull(\(parameter), max(0, (SELECT max(\"id\") FROM \(name: HistoryTables.transactions))) + 1)"
    }
    let text: SQLFragment = """
      INSERT INTO \(name: HistoryTables.transactions) (\(HistoryColumn.names))
      VALUES (\(values.joined(separator: ", ")))
      """
    return NumberedText(text.text)
  }()

  /// Writes a transaction without changes, which says that rows were changed without history.
  static func noteGap(author: String?, epoch: Int64, _ connection: Connection) throws -> Int64 {
    let writer = HistoryWriter(epoch: Int(epoch), .isIncomplete)
    return try write(writer.bytes, author: author, id: nil, connection)
  }
}

/// The transactions that a store keeps.
package enum HistoryLimit: Sendable {
  /// Those that are no older.
  case seconds(Double)
  /// A number of the newest, at least 1.
  case transactions(Int64)
}

/// Deletes transactions.
extension HistoryLog {
  /// How often a store that keeps part of its history looks for what it need not keep.
  private static let interval: Int64 = 64
  /// How many transactions it forgets at a time.
  private static let portion = 1_024

  /// Deletes some of the oldest transactions beyond a limit.
  ///
  /// - Parameter last: the number of the last transaction.
  func prune(to limit: HistoryLimit, after last: Int64, _ connection: Connection) throws {
    guard last % Self.interval == 0 else { return }
    let oldest = try connection.rows(
      """
      SELECT "id", "time" FROM \(name: HistoryTables.transactions) ORDER BY "id"
      LIMIT \(number: Self.portion)
      """)
    var end: Int64?
    switch limit {
    case .transactions(let count):
      let first = last - count + 1
      for row in oldest { if case .integer(let id) = row[0], id < first { end = id } }
    case .seconds(let age):
      let now = Date.timeIntervalSinceReferenceDate
      for row in oldest {
        guard case .integer(let id) = row[0], case .real(let time) = row[1] else { break }
        // What a clock says that was wrong then keeps nothing that comes after it.
        if time > now { continue }
        guard time < now - age else { break }
        end = id
      }
    }
    guard let end = end.map({ min($0, last - 1) }), end > 0 else { return }
    try Self.forget(through: end, connection)
  }

  private static func forget(through end: Int64, _ connection: Connection) throws {
    try connection.executeCached(
      "DELETE FROM \(name: HistoryTables.transactions) WHERE \"id\" <= \(value: .integer(end))")
    try connection.executeCached(
      "DELETE FROM \(name: HistoryTables.tombstones) WHERE \"transaction\" <= \(value: .integer(end))")
    try raiseFloor(to: end, connection)
  }

  /// Forgets transactions by number, in ascending order.
  static func forget(_ numbers: [Int64], _ connection: Connection) throws {
    guard let highest = numbers.last else { return }
    let last = try HistoryTables.last(connection)
    var runs = RowRuns()
    for number in numbers { runs.append(number) }
    for run in runs.runs {
      let (first, end) = (SQLValue.integer(run.first), SQLValue.integer(run.end - 1))
      // The last row stays as the place of its number.
      try connection.executeCached(
        """
        DELETE FROM \(name: HistoryTables.transactions)
        WHERE "id" BETWEEN \(value: first) AND \(value: end) AND "id" < \(value: .integer(last))
        """)
      try connection.executeCached(
        """
        DELETE FROM \(name: HistoryTables.tombstones)
        WHERE "transaction" BETWEEN \(value: first) AND \(value: end)
        """)
    }
    if highest == last {
      try connection.executeCached(
        """
        UPDATE \(name: HistoryTables.transactions) SET "changes" = NULL, "author" = NULL
        WHERE "id" = \(value: .integer(last))
        """)
    }
    try raiseFloor(to: highest, connection)
  }

  /// Tokens of positions before this one are expired.
  static func floor(_ connection: Connection) throws -> Int64 {
    let found = try connection.rows(
      """
      SELECT "value" FROM \(name: StoreCatalogue.metadataTable)
      WHERE "key" = \(value: .text(StoreMetadata.Key.historyFloor))
      """)
    guard case .integer(let floor)? = found.first?.first else { return 0 }
    return floor
  }

  static func raiseFloor(to position: Int64, _ connection: Connection) throws {
    guard try position > floor(connection) else { return }
    try StoreMetadata.write(.integer(position), for: StoreMetadata.Key.historyFloor, connection)
  }

  /// Deletes all transactions. Older tokens are expired afterwards.
  static func forgetAll(_ connection: Connection) throws {
    // The new number makes every earlier position an expired one.
    let number = try write([], author: nil, id: nil, connection)
    try connection.execute(
      "DELETE FROM \(name: HistoryTables.transactions) WHERE \"id\" < \(value: .integer(number))")
    try connection.execute(
      """
      UPDATE \(name: HistoryTables.transactions) SET "changes" = NULL
      WHERE "id" = \(value: .integer(number))
      """)
    try connection.execute("DELETE FROM \(name: HistoryTables.tombstones)")
    try raiseFloor(to: number, connection)
  }
}

/// The numbers of the transactions that a store has written itself.
final class OwnTransactions: Sendable {
  private struct State {
    var written = RowRuns()
    /// Written, and not yet known to be committed.
    var pending: Int64?
  }

  private let state = Mutex(State())
  /// The minimum number of runs that are kept, for callers with an old position.
  private static let limit = 4_096

  func begin(_ number: Int64) { state.withLock { $0.pending = number } }

  /// The transaction has ended.
  func end(isCommitted: Bool) {
    state.withLock { state in
      if isCommitted, let number = state.pending { state.written.append(number) }
      if state.written.complete.count > 2 * Self.limit { state.written.removeFirst(Self.limit) }
      state.pending = nil
    }
  }

  /// Which of some transactions are of this store.
  func contains(_ numbers: [Int64]) -> [Bool] {
    state.withLock { state in
      let runs = state.written.runs
      return numbers.map { number in
        number == state.pending || Self.run(from: number, in: runs)?.contains(number) == true
      }
    }
  }

  /// Whether all transactions of a range are.
  func contains(_ range: ClosedRange<Int64>) -> Bool {
    state.withLock { state in
      guard let run = Self.run(from: range.lowerBound, in: state.written.runs), run.contains(range.lowerBound)
      else { return false }
      return run.contains(range.upperBound)
    }
  }

  /// The first run that ends after a number: numbers only grow.
  private static func run(from number: Int64, in runs: [RowRuns.Run]) -> RowRuns.Run? {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].end > number { high = middle } else { low = middle + 1 }
    }
    return low < runs.count ? runs[low] : nil
  }
}
