import CSQLite
import Foundation

/// The connections to one store: one that writes, others that read beside it.
///
/// A store in memory has one connection for both, which a call within a call may use again.
final class ConnectionPool: @unchecked Sendable {  // connections are used by whoever holds a lock or took them out
  enum Place: Sendable {
    case memory
    case file(String, allowsSave: Bool)
    /// One connection that is in a transaction of somebody else's.
    case transaction(streams: Bool)
  }

  let place: Place
  private let isDurable: Bool
  private let log: ModelConfiguration.WriteAheadLogOptions
  private let writing = NSRecursiveLock()
  private var writer: Connection?
  private let idle = IdleReaders()
  /// Tells when somebody else has migrated the file; set before several threads use the store.
  var watch: StoreWatch?
  /// Whether others have committed; nil where that cannot be seen at a glance.
  private(set) var commits: CommitCount?
  /// Where every connection reports its statements.
  private let trace: StatementTrace?

  init(
    _ place: Place, isDurable: Bool, log: ModelConfiguration.WriteAheadLogOptions = .init(),
    _ trace: StatementTrace? = nil
  ) {
    self.place = place
    self.trace = trace
    self.isDurable = isDurable
    self.log = log
  }

  /// Lends a connection whose transaction is somebody else's, for reading and for writing.
  ///
  /// - Parameter streams: whether rows may be written while others are read.
  init(borrowing connection: Connection, streams: Bool) {
    place = .transaction(streams: streams)
    isDurable = false
    log = .init()
    // The connection has its own.
    trace = nil
    writer = connection
  }

  deinit {
    // What other threads do for the store has an end with it.
    writer?.checkpointer?.end()
    idle.close()
  }

  /// Gives a borrowed connection back: whoever still has a context over it gets an error.
  func end() { writing.withLock { writer = nil } }

  /// A number that is another one as soon as anybody has committed; nil where nobody can tell.
  var state: UInt64? {
    switch place {
    case .memory, .transaction: writing.withLock { writer?.transactions }
    case .file: commits.map { UInt64($0.count) }
    }
  }

  /// Whether rows can be handed out while others are written.
  var streams: Bool {
    switch place {
    case .memory: false
    case .file: true
    case .transaction(let streams): streams
    }
  }

  /// Lends a connection that sees one state of the store at a time.
  ///
  /// - Parameter purpose: what the trace says of its statements.
  func read<T>(
    for purpose: TracedStatement.Purpose = .other, _ body: (Connection) throws -> T
  ) throws -> T {
    guard case .file(_, let allowsSave) = place else { return try exclusively(for: purpose, body) }
    try checkUse()
    let connection = try takeReader()
    connection.trace?.purpose = purpose
    defer { idle.giveBack(connection) }
    if allowsSave { try connection.follow() }
    let answer: T
    do {
      answer = try body(connection)
    } catch {
      throw watch?.explanation(of: error, connection) ?? error
    }
    // Asked here: the watch is not touched as long as nobody has committed.
    if connection.currentDataVersion != connection.checkedState { try watch?.checkAnswer(connection) }
    return answer
  }

  /// Lends the writing connection inside a transaction, which is undone when `body` throws.
  func write<T>(_ body: (Connection) throws -> T) throws -> T {
    try exclusively(for: .save) { connection in try connection.write { try body(connection) } }
  }

  /// Lends the writing connection.
  ///
  /// - Parameter purpose: what the trace says of its statements.
  func exclusively<T>(
    for purpose: TracedStatement.Purpose = .other, _ body: (Connection) throws -> T
  ) throws -> T {
    try checkUse()
    writing.lock()
    defer { writing.unlock() }
    // A checkpoint must not find readers that nobody needs any more.
    idle.endStandingReads()
    let connection = try writer ?? begun()
    // A call within a call may use the connection for something else.
    let outer = connection.trace?.enter(purpose)
    defer { if let outer { connection.trace?.purpose = outer } }
    do {
      return try body(connection)
    } catch let error as ConnectionInUse {
      throw SwiftDataError.contextInUse.explained(error.explanation)
    }
  }

  private func checkUse() throws {
    do {
      try trace?.checkUse()
    } catch let error as ConnectionInUse {
      throw SwiftDataError.contextInUse.explained(error.explanation)
    }
  }

  private func begun() throws -> Connection {
    let connection = try open(.existing)
    try start(with: connection)
    return connection
  }

  /// The first connection of the store.
  func start(with connection: Connection) throws {
    try connection.expectWrites()
    if case .file(let path, true) = place {
      if commits == nil {
        // The index of the log is there when something has been read.
        _ = try connection.rows("SELECT 1 FROM sqlite_schema LIMIT 1")
        commits = CommitCount(connection)
      }
      connection.commitCount = commits
      if log.checkpointsInBackground {
        connection.checkpointer = Checkpointer(
          Self.location(path), beside: connection, trace, isGuarded: log.guardsReset)
      }
    }
    writing.withLock { writer = connection }
  }

  private func takeReader() throws -> Connection {
    guard case .file(let path, let allowsSave) = place else { return try open(.existing) }
    if let kept = idle.take(path, allowsSave: allowsSave) { return kept }
    return try open(allowsSave ? .existing : .readOnly)
  }

  /// Opens another connection.
  func open(_ access: Connection.Access) throws -> Connection {
    let connection: Connection
    switch place {
    case .memory: connection = try Connection(":memory:", .creating, trace)
    case .transaction:
      throw SwiftDataError.contextInUse.explained(
        "the context belongs to a step of a migration that is over")
    case .file(let path, let allowsSave) where allowsSave:
      // Another file has other rows under the same keys.
      try watch?.checkFile()
      connection = try Connection(Self.location(path), access, trace, isGuarded: log.guardsReset)
    case .file(let path, _):
      // While nobody writes, reading must not make the files of a write-ahead log. A journal is of
      // somebody who is writing, or was killed meanwhile: the file alone is neither old nor new.
      let isQuiet =
        !FileSignature(path).hasLog && FileManager.default.size(ofItem: path + "-journal") == 0
      connection = try Connection(
        Connection.uri(path, isQuiet ? "mode=ro&immutable=1" : "mode=ro"), .readOnly, trace)
    }
    try prepare(connection)
    return connection
  }

  /// A path that begins with "file:" would be taken for a location with options.
  private static func location(_ path: String) -> String { path.hasPrefix("file:") ? "./\(path)" : path }

  private func prepare(_ connection: Connection) throws {
    var result = PredicateFunctions.register(on: connection.handle)
    if result == SQLITE_OK { result = AggregateFunctions.register(on: connection.handle) }
    guard result == SQLITE_OK else { throw SQLiteError(connection.handle, result: result) }
    try connection.execute("PRAGMA foreign_keys = ON")
    // What a file from elsewhere has in its schema runs none of our functions.
    try connection.execute("PRAGMA trusted_schema = OFF")
    try connection.setCache(.scanning)
    guard case .file(_, true) = place else { return }
    try connection.execute(
      isDurable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
  }
}

/// Tells whether a file was written since it was looked at last.
struct FileSignature: Equatable {
  var size: UInt64 = 0
  var modified: Date?
  var hasLog = false

  init(_ path: String) {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    size = (attributes?[.size] as? NSNumber)?.uint64Value ?? 0
    modified = attributes?[.modificationDate] as? Date
    hasLog = FileManager.default.size(ofItem: path + "-wal") > 0
  }
}

extension FileManager {
  /// The length of a file; 0 when there is none.
  func size(ofItem path: String) -> UInt64 {
    ((try? attributesOfItem(atPath: path))?[.size] as? NSNumber)?.uint64Value ?? 0
  }
}
