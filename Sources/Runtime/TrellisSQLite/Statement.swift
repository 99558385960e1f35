package import CSQLite

/// A connection's prepared statement.
///
/// Only the thread that uses the connection may use its statements. The connection outlives the statement.
package final class Statement {
  package let handle: OpaquePointer
  package let sql: String
  /// The byte count of the text's first statement. SQLite ignores the rest.
  package let length: Int
  /// True from ``Connection/take(_:)`` to ``Connection/checkIn(_:)``.
  package var isInUse = false

  package init(_ sql: String, on connection: OpaquePointer, isKept: Bool = true) throws {
    var handle: OpaquePointer?
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    var sql = sql
    var length = 0
    let result = sql.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        var end: UnsafePointer<CChar>?
        defer { if let end, let start = bytes.baseAddress { length = end - start } }
        return sqlite3_prepare_v3(connection, bytes.baseAddress, Int32(bytes.count), flags, &handle, &end)
      }
    }
    guard result == SQLITE_OK, let handle else {
      throw SQLiteError(connection, result: result, sql: sql)
    }
    self.handle = handle
    self.sql = sql
    self.length = length
  }

  deinit { sqlite3_finalize(handle) }

  /// Moves to the next row. Returns false at the end, after which the statement can run again.
  @inline(__always) package func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let result: throw failure(result)
    }
  }

  /// Runs a statement that returns no rows.
  @inline(__always) package func run() throws {
    let result = sqlite3_step(handle)
    if result != SQLITE_DONE && result != SQLITE_ROW { throw failure(result) }
    sqlite3_reset(handle)
  }

  @inline(never) private func failure(_ result: Int32) -> SQLiteError {
    let error = SQLiteError(sqlite3_db_handle(handle), result: result, sql: sql)
    sqlite3_reset(handle)
    return error
  }

  @inline(__always) package func reset() { sqlite3_reset(handle) }

  /// Clears the bindings, which may point into memory that is about to be released.
  package func clear() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
  @inline(__always) package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  package func text(_ column: Int32) -> String? {
    isNull(column) ? nil : Self.text(handle, column)
  }

  /// Returns true if the column's bytes are the string in UTF-8.
  package func isText(_ column: Int32, _ text: String) -> Bool {
    let bytes = Self.bytes(handle, column)
    return bytes.count == text.utf8.count && text.utf8.elementsEqual(bytes)
  }

  package func value(_ column: Int32) -> SQLValue { Self.value(handle, column) }

  package static func value(_ statement: OpaquePointer?, _ column: Int32) -> SQLValue {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT: .text(text(statement, column))
    case SQLITE_BLOB: .blob(Array(bytes(statement, column)))
    default: .null
    }
  }

  @inline(__always) package static func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
    String(decoding: bytes(statement, column), as: UTF8.self)
  }

  @inline(__always) package static func bytes(
    _ statement: OpaquePointer?, _ column: Int32
  ) -> UnsafeRawBufferPointer {
    bytes(of: sqlite3_column_value(statement, column))
  }

  /// SQLite requires that the address is read before the length.
  @inline(__always) package static func bytes(of value: OpaquePointer?) -> UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(value)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }
}

/// Binds the values of fragments. ``StatementBinder`` binds the rows of models.
extension Statement {
  package func bind(_ values: [SQLValue]) throws {
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
  }

  @inline(__always) package func bind(_ integer: Int64, at parameter: Int32) {
    sqlite3_bind_int64(handle, parameter, integer)
  }

  package func bind(_ value: SQLValue, at parameter: Int32) throws {
    let result: Int32
    switch value {
    case .null: result = sqlite3_bind_null(handle, parameter)
    case .integer(let integer): result = sqlite3_bind_int64(handle, parameter, integer)
    // SQLite stores NaN as NULL, so it is stored as text.
    case .real(let real) where real.isNaN: result = bind("NaN", at: parameter)
    case .real(let real): result = sqlite3_bind_double(handle, parameter, real)
    case .text(let text): result = bind(text, at: parameter)
    case .blob(let bytes):
      result = bytes.withUnsafeBytes {
        sqlite3_bind_blob64(
          handle, parameter, $0.baseAddress ?? emptyBytes, UInt64($0.count), transient)
      }
    case .list(let values): result = bind(JSONList.text(of: values), at: parameter)
    }
    guard result == SQLITE_OK else {
      throw SQLiteError(sqlite3_db_handle(handle), result: result, sql: sql)
    }
  }

  private func bind(_ text: String, at parameter: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text64(
          handle, parameter, $0.baseAddress ?? emptyText, UInt64($0.count), transient,
          UInt8(SQLITE_UTF8))
      }
    }
  }
}

/// Makes SQLite copy the bound bytes.
package let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

// A valid address for an empty value, because SQLite binds NULL for a null pointer.
package nonisolated(unsafe) let emptyText: UnsafePointer<CChar> = {  // never written
  let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
  byte.pointee = 0
  return UnsafePointer(byte)
}()
package nonisolated(unsafe) let emptyBytes = UnsafeRawPointer(emptyText)  // never written
