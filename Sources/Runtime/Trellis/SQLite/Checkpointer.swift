import CSQLite
import Foundation

/// Brings what is in the log of a store into its file, beside those who save.
///
/// A checkpoint waits for the disk. SQLite makes it inside of the commit after which a log has 1,000 pages; here
/// another connection makes it on a thread of its own, and saving goes on. As long as somebody saves, that one
/// never gets to the end of the log, which then cannot begin anew. So once it is three times as long, the commit
/// that finds it so copies the little that is left; and where somebody always reads what is older, one waits
/// for a moment until nobody does.
final class Checkpointer: @unchecked Sendable {  // the connection has a lock, the rest is the writer's
  private let location: String
  private let trace: StatementTrace?
  private let isGuarded: Bool
  private let log: WALIndexHeader
  private let copying = NSLock()
  private var connection: Connection?
  private var isEnded = false
  private let planning = NSLock()
  private var isPlanned = false
  /// How long the log has to be for a commit to copy what is left. Used by whoever holds the lock on writing.
  private var limit = Checkpointer.longest
  /// How long the next commit waits that finds the log too long.
  private var patience = Checkpointer.patience.lowerBound
  /// How long the log was when the other thread was called last: where a reader keeps it from copying, it need
  /// not be called again at once. Used as `limit` is.
  private var planned: UInt32 = 0

  /// After so many pages of which the file knows nothing, they are copied. As many as SQLite waits for.
  private static let interval: UInt32 = 1_000
  /// From here on commits copy what is left, and try again after some more pages where somebody reads.
  private static let longest = 3 * interval
  private static let pause = interval / 8
  /// From here on they wait for whoever copies or reads, and try again much later.
  private static let tooLong = 2 * longest
  /// How long, in milliseconds, at first and at most.
  private static let patience: ClosedRange<Int32> = 50...1_000

  /// Nil where there is no log to look at; then SQLite's own checkpoints go on.
  ///
  /// - Parameters:
  ///   - location: what the store is opened with.
  ///   - writer: has read from the store. Open as long as this is used.
  ///   - trace: receives the statements of the other connection. A checkpoint itself is not a statement.
  ///   - isGuarded: true to open the other connection with ``WALResetGuard``.
  init?(_ location: String, beside writer: Connection, _ trace: StatementTrace?, isGuarded: Bool) {
    guard let log = WALIndexHeader(writer.handle) else { return nil }
    self.location = location
    self.trace = trace
    self.isGuarded = isGuarded
    self.log = log
    sqlite3_wal_autocheckpoint(writer.handle, 0)
  }

  /// To be called after a commit, by the one who may make the next.
  @inline(__always) func follow(_ writer: Connection) {
    if log.length >= Self.interval { catchUp(writer) }
  }

  @inline(never) private func catchUp(_ writer: Connection) {
    let length = log.length
    if length < Self.longest { limit = Self.longest }
    if length < planned { planned = 0 }
    // One large commit may write more pages than the limit, before the other thread had a reason to copy.
    if length >= limit, planned > 0 {
      finish(writer, length)
      return
    }
    guard length - min(length, max(log.copied, planned)) >= Self.interval else { return }
    planned = length
    plan()
  }

  private func finish(_ writer: Connection, _ length: UInt32) {
    let isPressing = length >= Self.tooLong
    // Whoever copies already brings the end nearer.
    if !copying.try() {
      guard isPressing else { return }
      copying.lock()
    }
    defer { copying.unlock() }
    guard isPressing else {
      copy(writer)
      limit = length + Self.pause
      return
    }
    sqlite3_busy_timeout(writer.handle, patience)
    defer { sqlite3_busy_timeout(writer.handle, Connection.busyTimeout) }
    let isDone = copy(writer, SQLITE_CHECKPOINT_RESTART)
    // Readers that come and go leave a moment to whoever waits for longer than each of them reads. To wait for
    // one that stays is in vain: that is tried again when the log is twice as long.
    let isInVain = !isDone && patience == Self.patience.upperBound
    limit = length &+ (isInVain ? length : Self.interval)
    patience = isDone || isInVain ? Self.patience.lowerBound : min(2 * patience, Self.patience.upperBound)
  }

  private func plan() {
    let isFirst = planning.withLock {
      defer { isPlanned = true }
      return !isPlanned
    }
    guard isFirst else { return }
    DispatchQueue.global(qos: .utility).async { [self] in
      copying.withLock {
        // A file that cannot be opened now: what was saved is in the log, where everybody finds it.
        if !isEnded, let connection = try? opened() { copy(connection) }
      }
      planning.withLock { isPlanned = false }
    }
  }

  private func opened() throws -> Connection {
    if let connection { return connection }
    let opened = try Connection(location, .existing, trace, isGuarded: isGuarded)
    // A connection that has read nothing does not know that there is a log.
    _ = try opened.rows("SELECT 1 FROM sqlite_schema LIMIT 1")
    connection = opened
    return opened
  }

  /// As in a commit of SQLite's, a failure is no failure of what was saved: it stays in the log.
  @discardableResult private func copy(
    _ connection: Connection, _ mode: Int32 = SQLITE_CHECKPOINT_PASSIVE
  ) -> Bool {
    sqlite3_wal_checkpoint_v2(connection.handle, "main", mode, nil, nil) == SQLITE_OK
  }

  /// Keeps the other thread away while `body` makes checkpoints of its own.
  func pausing<T>(_ body: () throws -> T) rethrows -> T { try copying.withLock(body) }

  /// Waits for what is under way and closes its connection.
  func end() {
    copying.withLock {
      isEnded = true
      connection = nil
    }
  }
}
