import CSQLite

/// A call from SQL to a function. The result is NULL unless a value is returned.
package struct FunctionCall {
  let context: OpaquePointer?
  private let arguments: UnsafeMutablePointer<OpaquePointer?>?

  package init(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
    self.context = context
    self.arguments = arguments
  }

  /// Returns a text argument's bytes, valid until the next argument is read in a different form.
  package func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8>? {
    let value = arguments?[index]
    guard sqlite3_value_type(value) != SQLITE_NULL else { return nil }
    let start = sqlite3_value_text(value)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  /// Returns a number in column form, in which NaN is text.
  package func real(_ index: Int) -> Double? {
    let value = arguments?[index]
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: return nil
    case SQLITE_TEXT: return .nan
    default: return sqlite3_value_double(value)
    }
  }

  func test(_ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool) {
    guard let first = bytes(0), let second = bytes(1) else { return }
    sqlite3_result_int(context, body(first, second) ? 1 : 0)
  }

  func map(_ body: (String) -> String?) {
    if let text = bytes(0), let result = body(TextSearch.string(text)) { give(result) }
  }

  func compute(_ body: (Double, Double) -> Double) {
    guard let first = real(0), let second = real(1) else { return }
    give(body(first, second))
  }

  package func give(_ number: Double) {
    if number.isNaN { give("NaN") } else { sqlite3_result_double(context, number) }
  }

  package func give(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      bytes.withMemoryRebound(to: CChar.self) {
        // SQLite would treat a missing address as NULL.
        if let start = $0.baseAddress {
          sqlite3_result_text(context, start, Int32($0.count), copied)
        } else {
          sqlite3_result_text(context, "", 0, copied)
        }
      }
    }
  }

  func give(_ bytes: [UInt8]) {
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    bytes.withUnsafeBytes {
      if let start = $0.baseAddress {
        sqlite3_result_blob(context, start, Int32($0.count), copied)
      } else {
        sqlite3_result_zeroblob(context, 0)
      }
    }
  }
}
