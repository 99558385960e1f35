import CSQLite
import Foundation
import Synchronization

/// The connections to a store: a connection for writing, and several for reading at the same time.
///
/// An in-memory store has a single connection for both, which nested calls share.
final class ConnectionPool: @unchecked Sendable {  // a connection is used by the thread that took it or holds its lock
  enum Place: Sendable {
    case memory
    case file(String, allowsSave: Bool)
    /// A connection in the transaction of a migration.
    case transaction(streams: Bool)
  }

  let place: Place
  private let isDurable: Bool
  private let writing = NSRecursiveLock()
  private var writer: Connection?
  /// Held by a thread that uses the writing connection only if no thread writes.
  private let looking = NSLock()
  /// Protects ``idle`` and ``opened``.
  private let access = NSLock()
  private var idle: [Connection] = []
  /// The state of a read-only file when the idle connections were opened, and true if it had a write-ahead log.
  private var opened: (file: FileStamp?, hasLog: Bool) = (nil, false)
  /// Detects that a concurrent process has migrated the file; set before several threads use the store.
  var watch: StoreWatch?
  /// The number of reads that have met a commit, which their connection had not seen before.
  let commitsMet = Atomic<Int>(0)
  /// Receives the statements of every connection.
  private let trace: StatementTrace?

  init(_ place: Place, isDurable: Bool, _ trace: StatementTrace? = nil) {
    self.place = place
    self.trace = trace
    self.isDurable = isDurable
  }

  /// A pool with a connection in the transaction of a migration.
  ///
  /// - Parameter streams: true if rows may be written during a read.
  init(borrowing connection: Connection, streams: Bool) {
    place = .transaction(streams: streams)
    isDurable = false
    // The connection has a trace.
    trace = nil
    writer = connection
  }

  /// Ends the use of a borrowed connection. Contexts that still use it get an error.
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
  /// - Parameter purpose: the purpose of the statements in the trace.
  func read<T>(
    for purpose: TracedStatement.Purpose = .other, _ body: (Connection) throws -> T
  ) throws -> T {
    guard case .file = place else { return try exclusively(for: purpose, body) }
    let connection = try takeReader(for: purpose)
    defer { giveBack(reader: connection) }
    let answer: T
    do {
      answer = try body(connection)
    } catch {
      throw watch?.explanation(of: error, connection) ?? error
    }
    // If there is no new commit, the check costs a comparison.
    if connection.currentDataVersion != connection.checkedState {
      commitsMet.add(1, ordering: .releasing)
      try watch?.checkAnswer(connection)
    }
    return answer
  }

  /// Runs `body` with the connection for writing.
  ///
  /// - Parameter purpose: the purpose of the statements in the trace.
  func exclusively<T>(
    for purpose: TracedStatement.Purpose = .other, _ body: (Connection) throws -> T
  ) throws -> T {
    let connection = try takeWriter(for: purpose)
    defer { giveBack(writer: connection) }
    do {
      return try body(connection)
    } catch {
      throw Self.explanation(of: error)
    }
  }

  /// Runs `body` with the connection for writing, which distinguishes own and concurrent commits.
  ///
  /// - Returns: nil if a second thread uses the connection, or if the store is read-only.
  func unlessWriting<T>(
    for purpose: TracedStatement.Purpose = .refresh, _ body: (Connection) throws -> T
  ) throws -> T? {
    try checkUse()
    // A look waits for concurrent looks, and not for a save.
    looking.lock()
    defer { looking.unlock() }
    guard writing.try() else { return nil }
    defer { writing.unlock() }
    guard let writer else { return nil }
    writer.trace?.enter(purpose)
    defer { writer.trace?.leave() }
    return try body(writer)
  }

  // These steps are not generic, so that each generic call compiles only the calls of them.

  /// Locks the connection for writing. The same thread may do so several times.
  @inline(never) func takeWriter(for purpose: TracedStatement.Purpose) throws -> Connection {
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

  func giveBack(writer: Connection) {
    writer.trace?.leave()
    writing.unlock()
  }

  @inline(never) private func takeReader(for purpose: TracedStatement.Purpose) throws -> Connection {
    try checkUse()
    let connection = try idleReader() ?? open(.reading)
    connection.trace?.enter(purpose)
    return connection
  }

  /// Takes an idle connection; nil if there is none. A changed file closes the idle connections of a read-only store.
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

  private func giveBack(reader: Connection) {
    reader.trace?.leave()
    access.withLock { if idle.count < Self.idleLimit { idle.append(reader) } }
  }

  /// The largest number of idle connections. The pool closes further connections.
  private static let idleLimit = 4

  @inline(never) static func explanation(of error: any Error) -> any Error {
    guard let error = error as? ConnectionInUse else { return error }
    return SwiftDataError.contextInUse.explained(error.explanation)
  }

  /// - Throws: ``SwiftDataError/contextInUse`` inside the store's trace, because the caller may hold locks of the store.
  func checkUse() throws { try trace?.checkStoreUse() }

  private func begun() throws -> Connection {
    let connection = try open(.writing)
    try start(with: connection)
    return connection
  }

  /// Makes a connection the writing connection.
  func start(with connection: Connection) throws {
    if case .file(_, allowsSave: true) = place {
      // A large save or a long reader makes the log longer. SQLite truncates it when it next resets the log.
      try connection.execute("PRAGMA journal_size_limit = \(number: Self.journalSizeLimit)")
    }
    writing.withLock { writer = connection }
  }

  /// The length in bytes to which SQLite truncates the write-ahead log: four times the length at an automatic checkpoint.
  private static let journalSizeLimit = 16 << 20

  enum Use {
    /// Creates a missing file.
    case creating
    case writing, reading
  }

  /// The size of a connection's page cache in KiB. It saves reads of rows that are fetched or changed separately.
  private static let cacheSize = 8_192

  /// Opens a further connection.
  func open(_ use: Use) throws -> Connection {
    let connection: Connection
    switch place {
    case .memory: connection = try Connection(":memory:", .creating, trace)
    case .transaction:
      throw SwiftDataError.contextInUse.explained(
        "the context belongs to a step of a migration that is over")
    case .file(let path, let allowsSave) where allowsSave:
      // A new file at the path has different rows under the same keys.
      try watch?.checkFile()
      connection = try Connection(path, use == .creating ? .creating : .existing, trace)
    case .file(let path, _):
      // Reading a file that no process writes may not create the files of a write-ahead log. With a rollback journal, a
      // process is writing or was killed, and the database alone is not consistent.
      let isQuiet =
        FileStamp.size(path + "-wal") == 0 && FileStamp.size(path + "-journal") == 0
      connection = try Connection(path, .readOnly, trace, isImmutable: isQuiet)
    }
    var result = PredicateFunctions.register(on: connection.handle)
    if result == SQLITE_OK { result = PredicateFunctions.register(AggregateFunctions.all, on: connection.handle) }
    guard result == SQLITE_OK else { throw SQLiteError(connection.handle, result: result) }
    try connection.execute("PRAGMA foreign_keys = ON")
    // Views and triggers of a file may not call functions of this library.
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
