import CSQLite
import Synchronization

/// An open database connection. A thread takes a connection from the pool before using it, so only one thread uses it
/// at a time.
package final class Connection {
  /// The access mode, in SQLite's flags.
  package enum Access: Int32 {
    case readOnly = 1
    /// Opens an existing database for reading and writing.
    case existing = 2
    /// Opens a database for reading and writing and creates the file if it is missing.
    case creating = 6
  }

  package let handle: OpaquePointer
  package let arena = Arena()
  /// SQLite's data version at which the column flags were read; see ``ColumnFlags``.
  package var dataVersion: UInt32 = 0
  /// Reports the connection's statements; `nil` if tracing is off.
  package let trace: ConnectionTrace?
  /// SQLite's data version when the store's version was last checked.
  package var checkedState = UInt32.max
  /// The time, in seconds, of the last check that the path still refers to this file.
  package var checkedSecond = -1
  /// SQLite's schema version when the tables were last checked.
  package var checkedDefinitions: Int64 = 0
  /// True while a migration lends the connection. Writes are then savepoints in the migration's transaction.
  package var isLent = false
  /// True if handwritten SQL has written rows and the column flags have not been set yet.
  package var hasOwnWrites = false
  /// Prepared statements by SQL text.
  private var statements: [String: Statement] = [:]
  /// The keys of ``statements``, in order of first use.
  private var texts: [String] = []
  /// Statements by text number, stored at the number's remainder modulo the array size.
  private var numbered = [(number: Int, statement: Statement?)](repeating: (-1, nil), count: 256)

  /// The maximum number of prepared statements that are cached by text.
  package static let statementLimit = 256

  /// The longest wait for a lock held by a different connection, in milliseconds.
  package static let busyTimeout: Int32 = 5_000

  /// - Parameters:
  ///   - path: The file path, or `:memory:`.
  ///   - trace: Receives every statement.
  ///   - isImmutable: True to read the file, bypassing locks and the write-ahead log.
  /// - Throws: ``SQLiteError``.
  package init(
    _ path: String, _ access: Access, _ trace: StatementTrace? = nil, isImmutable: Bool = false
  ) throws {
    var opened: OpaquePointer?
    // SQLite would read a path that begins with "file:" as a URI.
    var location = path.hasPrefix("file:") ? "./\(path)" : path
    if isImmutable {
      let special: [Unicode.Scalar] = ["%", "?", "#"]
      let escaped = location.unicodeScalars.map { scalar in
        special.contains(scalar) ? "%" + String(scalar.value, radix: 16) : String(scalar)
      }
      location = "file:\(escaped.joined())?mode=ro&immutable=1"
    }
    let flags = access.rawValue | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE
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
    statements.removeAll()
    trace?.end()
    sqlite3_close_v2(handle)
  }

  // MARK: statements

  /// Takes an unused prepared statement; ``checkIn(_:)`` returns it.
  package func take(_ sql: String) throws -> Statement {
    let kept = statements[sql]
    // A nested fetch needs a second statement.
    if kept?.isInUse == true { return try Statement(sql, on: handle, isKept: false) }
    let statement = try kept ?? Statement(sql, on: handle)
    if kept == nil {
      if texts.count >= Self.statementLimit, let oldest = texts.firstIndex(where: { statements[$0]?.isInUse != true }) {
        statements[texts.remove(at: oldest)] = nil
      }
      statements[sql] = statement
      texts.append(sql)
    }
    statement.isInUse = true
    return statement
  }

  /// Takes a statement by text number, which is faster than comparing SQL text.
  @inline(__always) package func take(_ number: Int, _ sql: @autoclosure () throws -> String) throws -> Statement {
    let place = number & (numbered.count - 1)
    if numbered[place].number == number, let kept = numbered[place].statement, !kept.isInUse {
      kept.isInUse = true
      return kept
    }
    return try take(number, text: sql())
  }

  @inline(never) private func take(_ number: Int, text: String) throws -> Statement {
    let statement = try take(text)
    // A second statement with the same text is not cached.
    if statement.isInUse { numbered[number & (numbered.count - 1)] = (number, statement) }
    return statement
  }

  @inline(__always) package func take(_ text: NumberedText) throws -> Statement { try take(text.number, text.sql) }

  package func checkIn(_ statement: Statement) {
    statement.clear()
    statement.isInUse = false
  }

  /// Discards all prepared statements.
  package func dropStatements() {
    for place in numbered.indices { numbered[place] = (-1, nil) }
    statements.removeAll()
    texts.removeAll()
  }

  /// Runs a statement and ignores any rows.
  package func execute(_ fragment: SQLFragment) throws {
    let statement = try Statement(fragment.text, on: handle, isKept: false)
    try statement.bind(fragment.values)
    while try statement.step() {}
  }

  /// Runs a cached statement.
  package func executeCached(_ fragment: SQLFragment) throws {
    let statement = try take(fragment.text)
    defer { checkIn(statement) }
    try statement.bind(fragment.values)
    try statement.run()
  }

  /// Runs a cached statement whose parameter 1 is a list of keys.
  package func executeCached(_ fragment: SQLFragment, keys: [Int64]) throws {
    let statement = try take(fragment.text)
    defer { checkIn(statement) }
    try statement.bind(.keys(keys), at: 1)
    try statement.run()
  }

  /// Returns the first column of a small query, omitting NULL.
  package func integers(_ fragment: SQLFragment) throws -> [Int64] {
    try rows(fragment).compactMap { if case .integer(let value)? = $0.first { value } else { nil } }
  }

  /// Returns all rows of a small query.
  package func rows(_ fragment: SQLFragment) throws -> [[SQLValue]] {
    let statement = try take(fragment.text)
    defer { checkIn(statement) }
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

/// A statement's text with a number that is unique in the process.
///
/// Connections look up the prepared statement by number, which is cheaper than hashing the text.
package struct NumberedText: Sendable {
  package let sql: String
  package let number = NumberedText.numbers(1)

  package init(_ sql: String) { self.sql = sql }

  private static let numbers = Atomic<Int>(0)

  /// Reserves `count` consecutive text numbers and returns the first of them.
  package static func numbers(_ count: Int) -> Int { numbers.add(count, ordering: .relaxed).oldValue }
}

// MARK: Transactions

extension Connection {
  private enum Fixed {
    static let begin = NumberedText("BEGIN")
    static let beginImmediate = NumberedText("BEGIN IMMEDIATE")
    static let commit = NumberedText("COMMIT")
    static let rollback = NumberedText("ROLLBACK")
    static let definitions = NumberedText("PRAGMA schema_version")
    static let externalVersion = NumberedText("PRAGMA data_version")
  }

  /// Runs `body` in a write transaction, which is rolled back if `body` throws.
  ///
  /// - Parameter explaining: Makes an error more specific while the transaction is still open.
  /// - Throws: Errors thrown by `body`; ``SQLiteError``; or ``ConnectionInUse`` inside a different transaction.
  package func write<T>(
    explaining: (any Error) -> any Error = { $0 }, _ body: () throws -> T
  ) throws -> T {
    // True for a savepoint in the transaction of a migration that lends the connection.
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

  /// Runs `body` in a savepoint within the transaction, which is rolled back if `body` throws.
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

  // The three steps are not generic, so that each specialization of `write` contains only calls to them.

  @inline(never) package func beginWrite() throws -> Bool {
    let isNested = isInTransaction
    if isNested {
      guard isLent else {
        throw ConnectionInUse(
          explanation: "this thread is already writing a batch or a save to the store: save after that has finished")
      }
      try execute("SAVEPOINT \(name: Self.savepoint)")
    } else {
      try run(Fixed.beginImmediate)
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
    try run(Fixed.commit)
    if isChecked { checkedState = currentDataVersion }
  }

  @inline(never) package func rollBack(_ isNested: Bool) {
    // SQLite has already rolled back after some errors, such as a full disk.
    guard isInTransaction else { return }
    if isNested {
      try? execute("ROLLBACK TO \(name: Self.savepoint)")
      try? execute("RELEASE \(name: Self.savepoint)")
    } else {
      try? run(Fixed.rollback)
    }
  }

  /// Runs several queries in a single read transaction.
  package func read<T>(_ body: () throws -> T) throws -> T {
    if isInTransaction { return try body() }
    try run(Fixed.begin)
    defer { if isInTransaction { try? run(Fixed.commit) } }
    return try body()
  }

  private func run(_ text: NumberedText) throws {
    let statement = try take(text)
    defer { checkIn(statement) }
    try statement.run()
  }

  /// SQLite's schema version, which increases with each change to a table definition.
  package func definitions() throws -> Int64 { try integer(Fixed.definitions) }

  /// A number that changes with commits by other connections, but not with this connection's commits. Starts a read
  /// transaction if none is open.
  package func externalVersion() throws -> Int64 { try integer(Fixed.externalVersion) }

  private func integer(_ text: NumberedText) throws -> Int64 {
    let statement = try take(text)
    defer { checkIn(statement) }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// SQLite's data version at the last read. It changes with each commit by this connection, and when the connection
  /// sees a concurrent commit.
  package var currentDataVersion: UInt32 {
    var version: UInt32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }
}
