import CSQLite

/// The error of a failed statement.
struct DatabaseError: Error {
  let message: String
}

/// An open database that prints the rows of statements.
struct Database: ~Copyable {
  private let handle: OpaquePointer

  init(_ path: String) throws(DatabaseError) {
    var opened: OpaquePointer?
    let result = sqlite3_open(path, &opened)
    guard result == SQLITE_OK, let opened else {
      let message = String(cString: sqlite3_errmsg(opened))
      sqlite3_close(opened)
      throw DatabaseError(message: message)
    }
    handle = opened
  }

  deinit { sqlite3_close(handle) }

  /// Runs statements until the first failure.
  func run(_ sql: String) throws(DatabaseError) {
    var rest = sql.utf8CString
    while rest.count > 1 {
      var statement: OpaquePointer?
      var used = 0
      let result = rest.withUnsafeBufferPointer { text in
        var tail: UnsafePointer<CChar>?
        let result = sqlite3_prepare_v2(handle, text.baseAddress, -1, &statement, &tail)
        if let start = text.baseAddress, let tail { used = tail - start }
        return result
      }
      defer { sqlite3_finalize(statement) }
      guard result == SQLITE_OK else { throw error() }
      // The remaining text is a comment or blank.
      guard let statement else { return }
      try printRows(of: statement)
      rest.removeFirst(used)
    }
  }

  private func printRows(of statement: OpaquePointer) throws(DatabaseError) {
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        print((0..<sqlite3_column_count(statement)).map { text(of: $0, in: statement) }.joined(separator: "|"))
      case SQLITE_DONE: return
      default: throw error()
      }
    }
  }

  private func text(of column: Int32, in statement: OpaquePointer) -> String {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_NULL: return ""
    case SQLITE_BLOB:
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
      let digits = Array("0123456789ABCDEF")
      return "x'" + String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }) + "'"
    default: return sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
    }
  }

  private func error() -> DatabaseError { DatabaseError(message: String(cString: sqlite3_errmsg(handle))) }
}
