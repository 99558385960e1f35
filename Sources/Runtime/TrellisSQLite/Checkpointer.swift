import CSQLite
import Foundation

/// Runs the checkpoints of a store on another thread.
///
/// A checkpoint waits for the disk. SQLite runs it in the commit after which the write-ahead log has 1,000 pages. Here
/// another connection runs it on another thread, and saving continues. While saves continue, that connection does not
/// reach the end of the log, and SQLite cannot reset it. The commit that finds 3,000 pages therefore copies the rest
/// itself. If readers still need older pages, the commit that finds 6,000 pages waits for them, 50 ms at first.
package final class Checkpointer: @unchecked Sendable {  // the connection has a lock, the rest is the writer's
  private let location: String
  private let trace: StatementTrace?
  private let isGuarded: Bool
  private let log: WALIndexHeader
  private let copying = NSLock()
  private var connection: Connection?
  private var isEnded = false
  private let planning = NSLock()
  private var isPlanned = false
  /// The length of the log, in pages, from which on a commit checkpoints. Used with the write lock held.
  private var limit = Checkpointer.longest
  /// How long the next commit waits for readers, in milliseconds.
  private var patience = Checkpointer.patience.lowerBound
  /// The length of the log when the last checkpoint was scheduled. A reader may prevent a checkpoint, and then the next
  /// one need not follow at once. Used with the write lock held.
  private var planned: UInt32 = 0

  /// The number of new pages after which a checkpoint is scheduled: SQLite's default.
  private static let interval: UInt32 = 1_000
  /// The length from which on commits checkpoint. If readers prevent it, the next commit tries after `pause` pages.
  private static let longest = 3 * interval
  private static let pause = interval / 8
  /// The length from which on commits wait for readers and other checkpoints.
  private static let tooLong = 2 * longest
  /// The shortest and the longest wait, in milliseconds.
  private static let patience: ClosedRange<Int32> = 50...1_000

  /// Nil without a write-ahead log. SQLite's automatic checkpoints then stay on.
  ///
  /// - Parameters:
  ///   - location: the path of the database.
  ///   - writer: has read from the store, and stays open as long as the checkpointer is used.
  ///   - trace: receives the statements of the other connection. A checkpoint itself is not a statement.
  ///   - isGuarded: true to open the other connection with ``WALResetGuard``.
  package init?(_ location: String, beside writer: Connection, _ trace: StatementTrace?, isGuarded: Bool) {
    guard let log = WALIndexHeader(writer.handle) else { return nil }
    self.location = location
    self.trace = trace
    self.isGuarded = isGuarded
    self.log = log
    sqlite3_wal_autocheckpoint(writer.handle, 0)
  }

  /// Called after each commit, with the write lock held.
  @inline(__always) package func follow(_ writer: Connection) {
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
    // A running checkpoint makes progress, so this commit does not wait for it.
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
    // A wait that is longer than each of the readers succeeds. Waiting for a reader that stays is in vain, so the next
    // attempt follows when the log is twice as long.
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
        // If the file cannot be opened now, the saved pages stay in the log, where all connections find them.
        if !isEnded, let connection = try? opened() { copy(connection) }
      }
      planning.withLock { isPlanned = false }
    }
  }

  private func opened() throws -> Connection {
    if let connection { return connection }
    let opened = try Connection(location, .existing, trace, isGuarded: isGuarded)
    // A connection learns of the log with its first read.
    _ = try opened.rows("SELECT 1 FROM sqlite_schema LIMIT 1")
    connection = opened
    return opened
  }

  /// Copies pages into the database. An error is ignored, as in SQLite's commits: the pages stay in the log.
  @discardableResult private func copy(
    _ connection: Connection, _ mode: Int32 = SQLITE_CHECKPOINT_PASSIVE
  ) -> Bool {
    sqlite3_wal_checkpoint_v2(connection.handle, "main", mode, nil, nil) == SQLITE_OK
  }

  /// Excludes the other thread while `body` runs checkpoints.
  package func pausing<T>(_ body: () throws -> T) rethrows -> T { try copying.withLock(body) }

  /// Waits for a running checkpoint and closes the connection.
  package func end() {
    copying.withLock {
      isEnded = true
      connection = nil
    }
  }
}
