import CSQLite

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
