import CSQLite

/// The values of fragments, bound one by one; rows of models go through ``StatementBinder``.
extension Statement {
  func bind(_ values: [SQLValue]) throws {
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
  }

  @inline(__always) func bind(_ integer: Int64, at parameter: Int32) {
    sqlite3_bind_int64(handle, parameter, integer)
  }

  func bind(_ value: SQLValue, at parameter: Int32) throws {
    let result: Int32
    switch value {
    case .null: result = sqlite3_bind_null(handle, parameter)
    case .integer(let integer): result = sqlite3_bind_int64(handle, parameter, integer)
    // SQLite takes NaN for NULL; the stored form is the text.
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

/// Tells SQLite to copy what is bound.
let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

// An address to bind for nothing: SQLite takes a null pointer for NULL.
nonisolated(unsafe) let emptyText: UnsafePointer<CChar> = {  // never written
  let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
  byte.pointee = 0
  return UnsafePointer(byte)
}()
nonisolated(unsafe) let emptyBytes = UnsafeRawPointer(emptyText)  // never written
