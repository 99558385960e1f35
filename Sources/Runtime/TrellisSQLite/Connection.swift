import CSQLite
import Synchronization

/// An open connection to a database. Used by one thread at a time: the one that has taken it from the pool.
package final class Connection {
  package enum Access {
    case readOnly
    /// Opens an existing database for reading and writing.
    case existing
    /// Opens a database for reading and writing and creates the file if it is missing.
    case creating

    fileprivate var flags: Int32 {
      switch self {
      case .readOnly: SQLITE_OPEN_READONLY
      case .existing: SQLITE_OPEN_READWRITE
      case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    }
  }

  package let handle: OpaquePointer
  package let arena = Arena()
  /// The size of the page cache.
  package var cacheSize = PageCacheSize.scanning
  /// SQLite's data version at which the column flags were read; see ``ColumnFlags``.
  package var dataVersion: UInt32 = 0
  /// Reports the statements of the connection; nil without a trace.
  package let trace: ConnectionTrace?
  /// SQLite's data version at the last check that the store still has the version it was opened with.
  package var checkedState: UInt32 = 0
  /// The time of the last check that the path still leads to this file, in seconds.
  package var checkedSecond = -1
  /// SQLite's schema version at the last check that the tables can be read.
  package var checkedDefinitions: Int64 = 0
  /// True while a migration lends the connection: writes are then savepoints in its transaction.
  package var isLent = false
  /// True if handwritten SQL has written rows and the column flags are not yet set.
  package var hasOwnWrites = false
  private var cache = StatementCache()
  private var slots: [Statement?] = []
  /// Statements by the number of their text, modulo the size.
  private var numbered = [(number: Int, statement: Statement?)](repeating: (-1, nil), count: 64)

  /// The longest wait for a lock of another connection, in milliseconds.
  package static let busyTimeout: Int32 = 5_000

  /// - Parameters:
  ///   - location: a path, `:memory:` or a `file:` URI.
  ///   - trace: receives every statement.
  /// - Throws: ``SQLiteError``.
  package init(_ location: String, _ access: Access, _ trace: StatementTrace? = nil) throws {
    var opened: OpaquePointer?
    let flags = access.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE
    let result = sqlite3_open_v2(location, &opened, flags, nil)
    guard result == SQLITE_OK, let opened else {
      defer { sqlite3_close_v2(opened) }
      throw SQLiteError(opened, result: result)
    }
    handle = opened
    self.trace = trace.map { ConnectionTrace($0, opened) }
    sqlite3_busy_timeout(handle, Self.busyTimeout)
    _ = trellis_refuse_quoted_text(handle)
  }

  deinit {
    numbered.removeAll()
    cache.removeAll()
    slots.removeAll()
    trace?.end()
    sqlite3_close_v2(handle)
  }

  /// Takes a statement out of the cache; ``giveBack(_:)`` returns it.
  package func take(_ sql: String) throws -> Statement { try cache.take(sql, on: handle) }
  package func giveBack(_ statement: Statement) { cache.giveBack(statement) }

  /// Takes a statement by the number of its text, which is faster than comparing texts.
  @inline(__always) package func take(_ text: NumberedText) throws -> Statement {
    let place = text.number & (numbered.count - 1)
    if numbered[place].number == text.number, let kept = numbered[place].statement, !kept.isInUse {
      kept.isInUse = true
      return kept
    }
    let statement = try take(text.sql)
    // A statement that the cache does not keep is not kept here.
    if statement.isInUse { numbered[place] = (text.number, statement) }
    return statement
  }

  /// The statement of a fixed slot, prepared at its first use.
  @inline(__always) package func statement(
    slot: Int, _ sql: @autoclosure () throws -> String
  ) throws -> Statement {
    if slot < slots.count, let kept = slots[slot], !kept.isInUse { return kept }
    return try prepare(slot: slot, try sql())
  }

  @inline(never) private func prepare(slot: Int, _ sql: String) throws -> Statement {
    while slots.count <= slot { slots.append(nil) }
    let statement = try Statement(sql, on: handle)
    if slots[slot] == nil { slots[slot] = statement }
    return statement
  }

  /// Forgets every prepared statement.
  package func dropStatements() {
    for place in numbered.indices { numbered[place] = (-1, nil) }
    cache.removeAll()
    slots.removeAll()
  }

  /// Runs a statement for its effect.
  package func execute(_ fragment: SQLFragment) throws {
    let statement = try Statement(fragment.text, on: handle, isKept: false)
    try statement.bind(fragment.values)
    while try statement.step() {}
  }

  /// Runs a statement that is kept in the cache.
  package func executeCached(_ fragment: SQLFragment) throws {
    let statement = try take(fragment.text)
    defer { giveBack(statement) }
    try statement.bind(fragment.values)
    try statement.run()
  }

  /// Runs a statement that is kept in the cache, with values for its numbered parameters.
  package func executeCached(_ sql: String, _ values: SQLValue...) throws {
    let statement = try take(sql)
    defer { giveBack(statement) }
    try statement.bind(values)
    try statement.run()
  }

  /// Returns the first column of a small query, without NULL.
  package func integers(_ fragment: SQLFragment) throws -> [Int64] {
    try rows(fragment).compactMap { if case .integer(let value)? = $0.first { value } else { nil } }
  }

  /// Returns all rows of a small query.
  package func rows(_ fragment: SQLFragment) throws -> [[SQLValue]] {
    let statement = try take(fragment.text)
    defer { giveBack(statement) }
    try statement.bind(fragment.values)
    var rows: [[SQLValue]] = []
    let count = sqlite3_column_count(statement.handle)
    while try statement.step() { rows.append((0..<count).map { statement.value($0) }) }
    return rows
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  package var changes: Int { Int(sqlite3_changes64(handle)) }

  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}

extension Connection {
  /// A `file:` URI with query parameters.
  package static func uri(_ path: String, _ options: String) -> String {
    // Building one of Foundation's character sets takes longer than opening the file.
    var text = "file:"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "."):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        text += byte < 16 ? "%0" : "%"
        text += String(byte, radix: 16)
      }
    }
    return "\(text)?\(options)"
  }
}

// MARK: Statements

/// The prepared statements of one connection, by their text.
package struct StatementCache {
  private var statements: [String: Statement] = [:]
  /// The texts, in the order of their first use.
  private var order: [String] = []
  private let capacity: Int

  package init(capacity: Int = 256) { self.capacity = capacity }

  /// Returns an unused statement; ``giveBack(_:)`` returns it to the cache.
  package mutating func take(_ sql: String, on connection: OpaquePointer) throws -> Statement {
    if let kept = statements[sql] {
      // A fetch inside of a fetch needs a second statement.
      if kept.isInUse { return try Statement(sql, on: connection, isKept: false) }
      kept.isInUse = true
      return kept
    }
    let statement = try Statement(sql, on: connection)
    if order.count >= capacity { dropOldest() }
    statements[sql] = statement
    order.append(sql)
    statement.isInUse = true
    return statement
  }

  package func giveBack(_ statement: Statement) {
    statement.clear()
    statement.isInUse = false
  }

  package mutating func removeAll() {
    statements.removeAll()
    order.removeAll()
  }

  private mutating func dropOldest() {
    guard let index = order.firstIndex(where: { statements[$0]?.isInUse != true }) else { return }
    statements[order.remove(at: index)] = nil
  }
}

/// The text of a statement under a number of the process.
///
/// Connections find the prepared statement by the number, which costs less than hashing the text.
package struct NumberedText: Sendable {
  package let sql: String
  package let number = NumberedText.nextNumber()

  package init(_ sql: String) { self.sql = sql }

  private static let numbers = Atomic<Int>(0)
  package static func nextNumber() -> Int { numbers.add(1, ordering: .relaxed).newValue }
}

// MARK: Transactions

extension Connection {
  /// Slots of statements that every connection has. Slots of entities follow.
  package enum FixedSlot: Int, CaseIterable {
    case begin, beginImmediate, commit, rollback, definitions, dataVersion, recordHistory
  }

  /// Runs `body` in a write transaction, which is rolled back if `body` throws.
  ///
  /// - Parameter explaining: makes an error more specific while the transaction is still open.
  /// - Throws: what `body` throws, ``SQLiteError``, or ``ConnectionInUse`` inside of another transaction.
  package func write<T>(
    explaining: (any Error) -> any Error = { $0 }, _ body: () throws -> T
  ) throws -> T {
    // True for a savepoint in the transaction of the migration that lends the connection.
    let isNested = try beginWrite()
    do {
      let result = try body()
      try commit(isNested)
      return result
    } catch {
      let error = explaining(error)
      rollBack(isNested)
      throw error
    }
  }

  /// Runs `body` in a savepoint of the transaction. An error undoes its changes.
  package func savepoint(_ body: () throws -> Void) throws {
    try executeCached("SAVEPOINT \(name: Self.savepoint)")
    do {
      try body()
    } catch {
      rollBack(true)
      throw error
    }
    try executeCached("RELEASE \(name: Self.savepoint)")
  }

  private static let savepoint = "trellis_nested"

  // The three steps are not generic, so that each call of `write` compiles only the calls of them.

  @inline(never) package func beginWrite() throws -> Bool {
    let isNested = isInTransaction
    if isNested {
      guard isLent else {
        throw ConnectionInUse(
          explanation: "this thread is writing a batch or a save to the store: save when that is done")
      }
      try execute("SAVEPOINT \(name: Self.savepoint)")
    } else {
      try run(.beginImmediate, "BEGIN IMMEDIATE")
    }
    return isNested
  }

  @inline(never) package func commit(_ isNested: Bool) throws {
    guard !isNested else {
      try execute("RELEASE \(name: Self.savepoint)")
      return
    }
    // The connection's own commit changes SQLite's data version, but not the store's version.
    let isChecked = checkedState == currentDataVersion
    try run(.commit, "COMMIT")
    if isChecked { checkedState = currentDataVersion }
  }

  @inline(never) package func rollBack(_ isNested: Bool) {
    // SQLite has already rolled back after some errors, such as a full disk.
    guard isInTransaction else { return }
    if isNested {
      try? execute("ROLLBACK TO \(name: Self.savepoint)")
      try? execute("RELEASE \(name: Self.savepoint)")
    } else {
      try? run(.rollback, "ROLLBACK")
    }
  }

  /// Runs several queries in one read transaction.
  package func read<T>(_ body: () throws -> T) throws -> T {
    if isInTransaction { return try body() }
    try begin()
    defer { if isInTransaction { try? end() } }
    return try body()
  }

  package func begin() throws { try run(.begin, "BEGIN") }
  package func end() throws { try run(.commit, "COMMIT") }

  private func run(_ slot: FixedSlot, _ sql: String) throws {
    try statement(slot: slot.rawValue, sql).run()
  }

  /// SQLite's schema version, which each change of a table definition increases.
  package func definitions() throws -> Int64 { try integer(.definitions, "PRAGMA schema_version") }

  /// A number that commits of different connections change, and commits of this connection do not. Starts a read
  /// transaction if none is open.
  package func externalVersion() throws -> Int64 { try integer(.dataVersion, "PRAGMA data_version") }

  private func integer(_ slot: FixedSlot, _ sql: String) throws -> Int64 {
    let statement = try statement(slot: slot.rawValue, sql)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// SQLite's data version at the last read: changes with each commit of this connection, and when the connection sees a
  /// concurrent commit.
  package var currentDataVersion: UInt32 {
    var version: UInt32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }
}

// MARK: Hooks and caches

/// Finds the row that an upsert has overwritten. `RETURNING` would take twice as long.
package final class UpdateHook {
  private static let none = Int64.min
  private let touched = UnsafeMutablePointer<Int64>.allocate(capacity: 1)

  package init() { touched.initialize(to: Self.none) }

  deinit { touched.deallocate() }

  package func install(on connection: Connection) {
    sqlite3_update_hook(
      connection.handle,
      { touched, operation, _, _, row in
        if operation == SQLITE_UPDATE {
          touched?.assumingMemoryBound(to: Int64.self).pointee = row
        }
      }, touched)
  }

  package func remove(from connection: Connection) { sqlite3_update_hook(connection.handle, nil, nil) }

  /// Forgets the last updated row.
  @inline(__always) package func clear() { touched.pointee = Self.none }

  /// The row that was updated last since ``clear()``.
  @inline(__always) package var row: Int64? {
    let row = touched.pointee
    return row == Self.none ? nil : row
  }
}

/// The size of a connection's page cache, in KiB.
///
/// The more of the file a cache covers, the fewer pages are read for rows that are fetched or changed one by one. A
/// scan of a table reads each page once, so a large cache would only add memory: a reader gets a large cache with its
/// first query that reads rows by key.
package enum PageCacheSize: Int {
  case scanning = 2_000
  case reading = 8_192
  case writing = 16_384
}

extension Connection {
  /// Enlarges the cache before rows are read or written by key.
  package func enlargeCache(to size: PageCacheSize) throws {
    if cacheSize == .scanning { try setCache(size) }
  }

  /// Shrinks the cache before rows are appended to a table, because no page is read again.
  package func shrinkCache() throws {
    if cacheSize != .scanning { try setCache(.scanning) }
  }

  package func setCache(_ size: PageCacheSize) throws {
    try execute("PRAGMA cache_size = -\(number: size.rawValue)")
    cacheSize = size
  }
}
