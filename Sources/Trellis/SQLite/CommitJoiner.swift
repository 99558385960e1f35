import CSQLite

/// Writes what a commit adds to the write-ahead log in one call of the system.
///
/// SQLite writes a log page by page, and before each page a header of 24 bytes: a small save is two calls, and
/// four with the page of its history. This file system is the one SQLite has, except that between ``begin()``
/// and ``end(isCommitted:)`` the pages of a log are put next to each other in memory and written together,
/// at the latest with the last one: its header says that it ends the commit. When SQLite makes the commit
/// visible everything is where it would be otherwise, and before that nobody reads it. Outside of commits, behind
/// the last page of one, for other files and for stores that wait for the disk at each commit nothing is held back.
struct CommitJoiner {
  private let file: UnsafeMutablePointer<sqlite3_file>

  /// Nil for a connection without a log, or with a log that was opened by another file system.
  ///
  /// - Parameter connection: in a transaction that has written something.
  init?(_ connection: OpaquePointer) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let result = sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
    guard result == SQLITE_OK, let file, JoinedLog.isOne(file) else { return nil }
    self.file = file
  }

  @inline(__always) func begin() { JoinedLog.of(file).pointee.begin() }

  /// Writes what is left after a commit, which is nothing, and forgets what a commit that failed has left.
  func end(isCommitted: Bool) throws {
    let log = JoinedLog.of(file)
    log.pointee.end()
    guard log.pointee.count > 0 else { return }
    guard isCommitted else { return log.pointee.drop() }
    assertionFailure("a commit was visible before it was written")
    let result = log.pointee.flush(file)
    if result != SQLITE_OK { throw SQLiteError(nil, result: result) }
  }
}
