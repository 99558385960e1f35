import CSQLite

/// The first bytes of a database file, read without a lock.
package enum DatabaseHeader {
  package static let length = 100

  /// Reads the header, which is shorter if the file is.
  ///
  /// Reads through SQLite, not through a file descriptor of this library: on POSIX, closing any descriptor of a file
  /// releases all locks that the process has on it, also those of open connections. Another process would then delete
  /// the write-ahead log they use.
  ///
  /// - Throws: ``SQLiteError``.
  package static func read(_ path: String) throws -> [UInt8] {
    let connection = try Connection(Connection.uri(path, "mode=ro"), .readOnly)
    var found: UnsafeMutablePointer<sqlite3_file>?
    let result = sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &found)
    guard result == SQLITE_OK, let file = found, let methods = file.pointee.pMethods else {
      throw SQLiteError(connection.handle, result: SQLITE_ERROR)
    }
    var size: sqlite3_int64 = 0
    _ = methods.pointee.xFileSize?(file, &size)
    var header = [UInt8](repeating: 0, count: min(length, max(0, Int(clamping: size))))
    guard !header.isEmpty else { return header }
    let count = Int32(header.count)
    let answer = header.withUnsafeMutableBytes {
      methods.pointee.xRead?(file, $0.baseAddress, count, 0) ?? SQLITE_IOERR
    }
    guard answer == SQLITE_OK else { throw SQLiteError(connection.handle, result: answer) }
    return header
  }
}
