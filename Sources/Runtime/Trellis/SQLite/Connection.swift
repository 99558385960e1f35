import CSQLite

/// An open connection to a database. Used by one thread at a time: whoever holds its lock.
final class Connection {
  enum Access {
    case readOnly
    /// Neither reads nor writes change anything but the database and its companions.
    case existing
    /// As `existing`, and makes the file when there is none.
    case creating

    fileprivate var flags: Int32 {
      switch self {
      case .readOnly: SQLITE_OPEN_READONLY
      case .existing: SQLITE_OPEN_READWRITE
      case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    }
  }

  let handle: OpaquePointer
  let arena = Arena()
  /// See ``expectLookups()``.
  var hasLargeCache = false
  /// What the marks of the store were read at, see ``ColumnFlags``.
  var dataVersion: UInt32 = 0
  /// Reports the statements of the connection; nil where the program does not want to know of them.
  let trace: ConnectionTrace?
  /// The last step of each transaction that writes: what it throws undoes the transaction.
  var beforeCommit: ((Connection) throws -> Void)?
  /// Counts what this connection commits; nil where nobody compares.
  var commitCount: CommitCount?
  /// Follows what this connection commits; nil where SQLite makes the checkpoints.
  var checkpointer: Checkpointer?
  /// How many transactions of this connection have written something, or might have.
  var transactions: UInt64 = 0
  /// When it was last seen that the store is of the version it was opened as.
  var checkedState: UInt32 = 0
  /// When it was last seen that the file is still in its place, in seconds.
  var checkedSecond = -1
  /// The definitions of the tables that were then found to be good for reading.
  var checkedDefinitions: Int64 = 0
  /// Whether a migration has lent the connection: then what writes does so inside its transaction.
  var isLent = false
  /// What is kept open between questions.
  var standing = StandingRead()
  private var cache = StatementCache()
  private var slots: [Statement?] = []
  /// Statements of ``PredicateStatement``s, each in the place its number leads to.
  private var numbered = [(number: Int, statement: Statement?)](repeating: (-1, nil), count: 64)

  /// How long a lock of somebody else's is waited for, in milliseconds.
  static let busyTimeout: Int32 = 5_000

  /// - Parameters:
  ///   - location: a path, `:memory:` or a `file:` URI.
  ///   - trace: receives every statement.
  ///   - isGuarded: true to work around SQLite's WAL-reset bug, see ``WALResetGuard``.
  /// - Throws: ``SQLiteError``.
  init(
    _ location: String, _ access: Access, _ trace: StatementTrace? = nil, isGuarded: Bool = true
  ) throws {
    var opened: OpaquePointer?
    let flags = access.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE
    let fileSystem = access == .readOnly || !isGuarded ? nil : WALResetGuard.fileSystem
    let result = sqlite3_open_v2(location, &opened, flags, fileSystem)
    guard result == SQLITE_OK, let opened else {
      defer { sqlite3_close_v2(opened) }
      throw SQLiteError(opened, result: result)
    }
    handle = opened
    self.trace = trace.map { ConnectionTrace($0, opened) }
    sqlite3_busy_timeout(handle, Self.busyTimeout)
  }

  deinit {
    numbered.removeAll()
    cache.removeAll()
    slots.removeAll()
    trace?.end()
    sqlite3_close_v2(handle)
  }

  /// A statement from the cache; give it back when done.
  func take(_ sql: String) throws -> Statement { try cache.take(sql, on: handle) }
  func giveBack(_ statement: Statement) { cache.giveBack(statement) }

  /// The same, found by the number of a text instead of the text itself.
  @inline(__always) func take(_ text: PredicateStatement.Text) throws -> Statement {
    let place = text.number & (numbered.count - 1)
    if numbered[place].number == text.number, let kept = numbered[place].statement, !kept.isInUse {
      kept.isInUse = true
      return kept
    }
    let statement = try take(text.sql)
    // One that the cache does not keep is not kept here either.
    if statement.isInUse { numbered[place] = (text.number, statement) }
    return statement
  }

  /// A statement with a number known beforehand, found without looking at its text.
  @inline(__always) func statement(
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
  func dropStatements() {
    for place in numbered.indices { numbered[place] = (-1, nil) }
    cache.removeAll()
    slots.removeAll()
  }

  /// Runs a statement for its effect.
  func execute(_ fragment: SQLFragment) throws {
    let statement = try Statement(fragment.text, on: handle, isKept: false)
    try statement.bind(fragment.values)
    while try statement.step() {}
  }

  /// Runs a statement whose text comes again and again.
  func executeCached(_ fragment: SQLFragment) throws {
    let statement = try take(fragment.text)
    defer { giveBack(statement) }
    try statement.bind(fragment.values)
    while try statement.step() {}
  }

  /// The rows of a small query.
  func rows(_ fragment: SQLFragment) throws -> [[SQLValue]] {
    let statement = try take(fragment.text)
    defer { giveBack(statement) }
    try statement.bind(fragment.values)
    var rows: [[SQLValue]] = []
    let count = sqlite3_column_count(statement.handle)
    while try statement.step() { rows.append((0..<count).map { statement.value($0) }) }
    return rows
  }

  /// The number of rows the last INSERT, UPDATE or DELETE touched.
  var changes: Int { Int(sqlite3_changes64(handle)) }

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}
