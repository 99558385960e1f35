import CSQLite
import Foundation
import Synchronization

/// A store's connections: a single writer and several concurrent readers.
///
/// An in-memory store has a single connection for both, which nested calls share.
final class ConnectionPool: @unchecked Sendable {  // a connection is used by the thread that took it or holds its lock
  enum Place: Sendable {
    case memory
    case file(String, allowsSave: Bool)
    /// A connection inside a migration transaction.
    case transaction(streams: Bool)
  }

  let place: Place
  private let isDurable: Bool
  private let writing = NSRecursiveLock()
  private var writer: Connection?
  /// Held by ``unlessWriting(for:_:)``, which uses the writing connection only if no thread is writing.
  private let looking = NSLock()
  /// Protects ``idle`` and ``opened``.
  private let access = NSLock()
  private var idle: [Connection] = []
  /// The read-only file's state when the idle connections were opened, and true if it had a write-ahead log.
  private var opened: (file: FileStamp?, hasLog: Bool) = (nil, false)
  /// Detects migrations by concurrent processes. Set before several threads use the store.
  var watch: StoreWatch?
  /// The number of reads that encountered a commit that was new to the connection.
  let commitsMet = Atomic<Int>(0)
  /// Receives every connection's statements.
  private let trace: StatementTrace?

  init(_ place: Place, isDurable: Bool, _ trace: StatementTrace? = nil) {
    self.place = place
    self.trace = trace
    self.isDurable = isDurable
  }

  /// Creates a pool with a connection inside a migration transaction.
  ///
  /// - Parameter streams: True if rows may be written during a read.
  init(borrowing connection: Connection, streams: Bool) {
    place = .transaction(streams: streams)
    isDurable = false
    // The connection already has a trace.
    trace = nil
    writer = connection
  }

  /// Stops using a borrowed connection. Contexts that still use it receive an error.
  func end() { writing.withLock { writer = nil } }

  /// True if rows can be read during a write.
  var streams: Bool {
    switch place {
    case .memory: false
    case .file: true
    case .transaction(let streams): streams
    }
  }

  /// Runs `body` with a connection for reading.
  ///
  /// - Parameter purpose: The statements' purpose in the trace.
  func read<T>(
    for purpose: TracedStatement.Purpose = .other, _ body: (Connection) throws -> T
  ) throws -> T {
    guard case .file = place else { return try exclusively(for: purpose, body) }
    let connection = try checkOutReader(for: purpose)
    defer { checkIn(reader: connection) }
    let answer: T
    do {
      answer = try body(connection)
    } catch {
      throw watch?.explanation(of: error, connection) ?? error
    }
    // If there is no new commit, this check costs a single comparison.
    if connection.currentDataVersion != connection.checkedState {
      commitsMet.add(1, ordering: .releasing)
      try watch?.checkAnswer(connection)
    }
    return answer
  }

  /// Runs `body` with the writing connection.
  ///
  /// - Parameter purpose: The statements' purpose in the trace.
  func exclusively<T>(
    for purpose: TracedStatement.Purpose = .other, _ body: (Connection) throws -> T
  ) throws -> T {
    let connection = try checkOutWriter(for: purpose)
    defer { checkIn(writer: connection) }
    do {
      return try body(connection)
    } catch {
      throw Self.explanation(of: error)
    }
  }

  /// Runs `body` with the writing connection, which can tell its own commits from concurrent commits.
  ///
  /// - Returns: `nil` if another thread is using the connection, or if the store is read-only.
  func unlessWriting<T>(
    for purpose: TracedStatement.Purpose = .refresh, _ body: (Connection) throws -> T
  ) throws -> T? {
    try checkUse()
    // Waits for concurrent callers of this function, but not for a save.
    looking.lock()
    defer { looking.unlock() }
    guard writing.try() else { return nil }
    defer { writing.unlock() }
    guard let writer else { return nil }
    writer.trace?.enter(purpose)
    defer { writer.trace?.leave() }
    return try body(writer)
  }

  // The following functions are not generic, so that specializing the functions above compiles only calls to them.

  /// Locks the writing connection. The lock is recursive.
  @inline(never) func checkOutWriter(for purpose: TracedStatement.Purpose) throws -> Connection {
    try checkUse()
    writing.lock()
    do {
      let connection = try writer ?? begun()
      connection.trace?.enter(purpose)
      return connection
    } catch {
      writing.unlock()
      throw Self.explanation(of: error)
    }
  }

  func checkIn(writer: Connection) {
    writer.trace?.leave()
    writing.unlock()
  }

  @inline(never) private func checkOutReader(for purpose: TracedStatement.Purpose) throws -> Connection {
    try checkUse()
    let connection = try idleReader() ?? open(.reading)
    connection.trace?.enter(purpose)
    return connection
  }

  /// Takes an idle connection; `nil` if there is none. In a read-only store, a changed file closes the idle
  /// connections.
  private func idleReader() -> Connection? {
    access.withLock {
      if case .file(let path, allowsSave: false) = place {
        let now = (FileStamp(path), FileStamp.size(path + "-wal") > 0)
        if now != opened {
          opened = now
          idle.removeAll()
        }
      }
      return idle.popLast()
    }
  }

  private func checkIn(reader: Connection) {
    reader.trace?.leave()
    access.withLock { if idle.count < Self.idleLimit { idle.append(reader) } }
  }

  /// The maximum number of idle connections. The pool closes any excess connections.
  private static let idleLimit = 4

  @inline(never) static func explanation(of error: any Error) -> any Error {
    guard let error = error as? ConnectionInUse else { return error }
    return SwiftDataError.contextInUse.explained(error.explanation)
  }

  /// - Throws: ``SwiftDataError/contextInUse`` inside the store's trace closure, which may be called with locks held.
  func checkUse() throws { try trace?.checkStoreUse() }

  private func begun() throws -> Connection {
    let connection = try open(.writing)
    try start(with: connection)
    return connection
  }

  /// Makes a connection the writing connection.
  func start(with connection: Connection) throws {
    if case .file(_, allowsSave: true) = place {
      // A large save or a long-running reader lengthens the log. SQLite truncates the log at the next reset.
      try connection.execute("PRAGMA journal_size_limit = \(number: Self.journalSizeLimit)")
    }
    writing.withLock { writer = connection }
  }

  /// The length in bytes to which SQLite truncates the write-ahead log: four times the automatic checkpoint length.
  private static let journalSizeLimit = 16 << 20

  enum Use {
    /// Creates a missing file.
    case creating
    case writing, reading
  }

  /// The page cache size per connection in KiB. The cache speeds up fetching and changing individual rows.
  private static let cacheSize = 8_192

  /// Opens an additional connection.
  func open(_ use: Use) throws -> Connection {
    let connection: Connection
    switch place {
    case .memory: connection = try Connection(":memory:", .creating, trace)
    case .transaction:
      throw SwiftDataError.contextInUse.explained(
        "the context belongs to a migration step that has ended")
    case .file(let path, let allowsSave) where allowsSave:
      // A new file at the same path may have different rows under the same keys.
      try watch?.checkFile()
      connection = try Connection(path, use == .creating ? .creating : .existing, trace)
    case .file(let path, _):
      // Reading a file that no process writes must not create write-ahead log files. A rollback journal means that a
      // process is writing or was killed, and the database file alone is inconsistent.
      let isQuiet =
        FileStamp.size(path + "-wal") == 0 && FileStamp.size(path + "-journal") == 0
      connection = try Connection(path, .readOnly, trace, isImmutable: isQuiet)
    }
    var result = PredicateFunctions.register(on: connection.handle)
    if result == SQLITE_OK { result = PredicateFunctions.register(AggregateFunctions.all, on: connection.handle) }
    guard result == SQLITE_OK else { throw SQLiteError(connection.handle, result: result) }
    try connection.execute("PRAGMA foreign_keys = ON")
    // Views and triggers in a file must not call functions from this library.
    try connection.execute("PRAGMA trusted_schema = OFF")
    try connection.execute("PRAGMA cache_size = -\(number: Self.cacheSize)")
    if case .file(_, true) = place {
      try connection.execute(
        isDurable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
    }
    return connection
  }
}

extension StatementTrace {
  /// - Throws: ``SwiftDataError/contextInUse`` if the listener uses the store.
  package func checkStoreUse() throws {
    do { try checkUse() } catch { throw ConnectionPool.explanation(of: error) }
  }
}
