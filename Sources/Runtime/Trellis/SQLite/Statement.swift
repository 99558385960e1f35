import CSQLite

/// One prepared statement of one connection.
///
/// Used by whoever holds the connection; the connection outlives it.
final class Statement {
  let handle: OpaquePointer
  let sql: String
  /// Taken out of the cache and not given back yet.
  var isInUse = false
  /// Whether parameters that are always the same are bound; nobody may ``clear()`` the statement then.
  var hasConstants = false

  init(_ sql: String, on connection: OpaquePointer, isKept: Bool = true) throws {
    var handle: OpaquePointer?
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    var sql = sql
    let result = sql.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_prepare_v3(connection, $0.baseAddress, Int32($0.count), flags, &handle, nil)
      }
    }
    guard result == SQLITE_OK, let handle else {
      throw SQLiteError(connection, result: result, sql: sql)
    }
    self.handle = handle
    self.sql = sql
  }

  deinit { sqlite3_finalize(handle) }

  /// Moves to the next row; false at the end, where the statement is ready to run again.
  @inline(__always) func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let result: throw failure(result)
    }
  }

  /// Runs a statement that gives no rows.
  @inline(__always) func run() throws {
    let result = sqlite3_step(handle)
    if result != SQLITE_DONE && result != SQLITE_ROW { throw failure(result) }
    sqlite3_reset(handle)
  }

  @inline(never) private func failure(_ result: Int32) -> SQLiteError {
    let error = SQLiteError(sqlite3_db_handle(handle), result: result, sql: sql)
    sqlite3_reset(handle)
    return error
  }

  @inline(__always) func reset() { sqlite3_reset(handle) }

  /// Forgets what was bound, so that nothing points into memory about to go.
  func clear() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
  @inline(__always) func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func text(_ column: Int32) -> String? {
    isNull(column) ? nil : Self.text(handle, column)
  }

  /// Whether a column holds exactly this text.
  func isText(_ column: Int32, _ text: String) -> Bool {
    let bytes = Self.bytes(handle, column)
    return bytes.count == text.utf8.count && text.utf8.elementsEqual(bytes)
  }

  func value(_ column: Int32) -> SQLValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT: .text(Self.text(handle, column))
    case SQLITE_BLOB: .blob(Array(Self.bytes(handle, column)))
    default: .null
    }
  }

  @inline(__always) static func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
    String(decoding: bytes(statement, column), as: UTF8.self)
  }

  @inline(__always) static func bytes(
    _ statement: OpaquePointer?, _ column: Int32
  ) -> UnsafeRawBufferPointer {
    bytes(of: sqlite3_column_value(statement, column))
  }

  /// The address is asked for before the length: that is the order SQLite wants.
  @inline(__always) static func bytes(of value: OpaquePointer?) -> UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(value)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }
}
