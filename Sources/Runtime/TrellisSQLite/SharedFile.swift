/// A database that is only read, while any process may write to it.
///
/// SQLite's locks protect the reader. A file is read without locks only where SQLite cannot create its log: in a
/// read-only folder.
package struct SharedFile {
  package let connection: Connection
  private let path: String
  /// The file before it was opened without locks; nil if SQLite locks it.
  private let stamp: FileStamp?

  /// - Throws: ``SQLiteError``.
  package init(_ path: String) throws {
    self.path = path
    let before = FileStamp(path)
    let hasLog = ["-wal", "-journal"].contains { FileStamp.size(path + $0) > 0 }
    do {
      // A read-only connection does not move the log's commits to the database, but leaves an empty log behind.
      let locked = try Connection(path, hasLog ? .readOnly : .existing)
      _ = try locked.definitions()
      (connection, stamp) = (locked, nil)
    } catch let error as SQLiteError where !hasLog && [.cannotOpen, .readOnly].contains(error.code) {
      (connection, stamp) = (try Connection(path, .readOnly, isImmutable: true), before)
    }
  }

  /// Runs queries that all see the same state.
  ///
  /// - Throws: Errors from `body`, and ``SQLiteError`` with the code `busy` if the file was written without locks.
  package func read<T>(_ body: () throws -> T) throws -> T {
    let result = Result { try connection.read(body) }
    guard stamp == nil || stamp == FileStamp(path) else {
      throw SQLiteError(extendedCode: SQLiteError.Code.busy.rawValue, message: "another process has written to it")
    }
    return try result.get()
  }
}
