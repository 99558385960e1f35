import CSQLiteRaw
import Foundation

struct RawFailure: Error, CustomStringConvertible {
  var description: String
}

/// A cached prepared statement with access by position.
struct RawStatement {
  let handle: OpaquePointer

  init(_ connection: OpaquePointer, _ sql: String) throws {
    var handle: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    guard sqlite3_prepare_v3(connection, sql, -1, flags, &handle, nil) == SQLITE_OK, let handle
    else { throw RawFailure(description: String(cString: sqlite3_errmsg(connection))) }
    self.handle = handle
  }

  /// Steps to the next row. Returns false at the end and resets the statement.
  @inline(__always)
  func step() throws -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    sqlite3_reset(handle)
    guard code == SQLITE_DONE else { throw RawFailure(description: "step failed with \(code)") }
    return false
  }

  func run() throws { while try step() {} }

  @inline(__always)
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  @inline(__always)
  func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  @inline(__always)
  func date(_ column: Int32) -> Date { Date(timeIntervalSinceReferenceDate: real(column)) }

  @inline(__always)
  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(handle, column) else { return "" }
    return String(cString: bytes)
  }

  @inline(__always)
  func optionalText(_ column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    return String(cString: bytes)
  }

  @inline(__always)
  func bind(_ position: Int32, _ value: Int64) { sqlite3_bind_int64(handle, position, value) }

  @inline(__always)
  func bind(_ position: Int32, _ value: Double) { sqlite3_bind_double(handle, position, value) }

  @inline(__always)
  func bind(_ position: Int32, _ value: Date) {
    bind(position, value.timeIntervalSinceReferenceDate)
  }

  /// Binds bytes without copying them. They must remain valid until the step is complete.
  @inline(__always)
  func bind(_ position: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
    bytes.withMemoryRebound(to: CChar.self) { text in
      _ = sqlite3_bind_text(handle, position, text.baseAddress, Int32(text.count), nil)
    }
  }

  @inline(__always)
  func bindNull(_ position: Int32) { sqlite3_bind_null(handle, position) }

  /// Binds a copy of a string.
  func bindCopy(_ position: Int32, _ text: String) {
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_bind_text(handle, position, text, -1, transient)
  }
}
