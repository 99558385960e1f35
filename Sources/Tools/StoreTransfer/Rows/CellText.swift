package import Trellis

/// Writes values as CSV or JSON. Each function returns a reason if a value cannot be written.
package enum CellText {
  /// The prefix for Base64 in CSV. It marks text with U+0000, which CSV cannot contain, and text that begins with the
  /// prefix.
  package static let encodedPrefix = Array("base64:".utf8)

  private static let quote = UInt8(ascii: "\"")

  // MARK: CSV

  /// Appends a CSV field. Nil becomes an empty field, and empty text or data becomes `""`.
  ///
  /// - Returns: The reason if the value cannot be written.
  @inline(__always) package static func csv(_ cell: Cell, _ files: ExternalFolder, _ sink: inout ByteSink) -> String? {
    switch cell {
    case .null: break
    case .integer(let value): sink.append(value)
    case .text(let bytes): csv(text: bytes, &sink)
    case .real(let value): number(value, &sink)
    case .date(let value): if !CalendarText.append(value, to: &sink) { number(value, &sink) }
    case .boolean(let value): sink.append(value ? "true" : "false")
    case .unsigned(let value): sink.append(value)
    case .float(let value): number(value, &sink)
    case .json(let bytes): quoted(bytes, &sink)
    case .data(let bytes):
      if bytes.isEmpty { sink.append("\"\"") }
      Base64Text.append(bytes, to: &sink)
    case .file(let name): return files.read(name) { Base64Text.append($0, to: &sink) }
    }
    return nil
  }

  package static func csv(text bytes: UnsafeRawBufferPointer, _ sink: inout ByteSink) {
    var isSpecial = bytes.isEmpty
    var hasNull = false
    for byte in bytes {
      isSpecial = isSpecial || byte == quote || byte == UInt8(ascii: ",") || byte == 0x0A || byte == 0x0D
      hasNull = hasNull || byte == 0
    }
    if hasNull || bytes.starts(with: encodedPrefix) {
      for byte in encodedPrefix { sink.append(byte) }
      Base64Text.append(bytes, to: &sink)
    } else if isSpecial {
      quoted(bytes, &sink)
    } else {
      sink.append(bytes)
    }
  }

  private static func quoted(_ bytes: UnsafeRawBufferPointer, _ sink: inout ByteSink) {
    sink.append(quote)
    for byte in bytes {
      if byte == quote { sink.append(quote) }
      sink.append(byte)
    }
    sink.append(quote)
  }

  // MARK: JSON

  /// Appends a JSON value on a single line.
  ///
  /// - Returns: The reason if the value cannot be written.
  package static func json(_ cell: Cell, _ files: ExternalFolder, _ sink: inout ByteSink) -> String? {
    switch cell {
    case .null: sink.append("null")
    case .integer(let value): sink.append(value)
    case .text(let bytes): json(text: bytes, &sink)
    case .real(let value): json(value, &sink) { number(value, &$0) }
    case .float(let value): json(Double(value), &sink) { number(value, &$0) }
    case .date(let value):
      sink.append(quote)
      if CalendarText.append(value, to: &sink) {
        sink.append(quote)
      } else {
        // Remove the quotation mark, which only text needs.
        sink.removeLast()
        json(value, &sink) { number(value, &$0) }
      }
    case .boolean(let value): sink.append(value ? "true" : "false")
    case .unsigned(let value): sink.append(value)
    case .json(let bytes):
      guard JSONScanner.isValid(bytes) else { return "is not valid JSON" }
      // Valid JSON contains line breaks only between values.
      for byte in bytes { sink.append(byte < 0x20 ? 0x20 : byte) }
    case .data(let bytes):
      sink.append(quote)
      Base64Text.append(bytes, to: &sink)
      sink.append(quote)
    case .file(let name):
      sink.append(quote)
      if let reason = files.read(name, { Base64Text.append($0, to: &sink) }) { return reason }
      sink.append(quote)
    }
    return nil
  }

  /// Quotes infinities and NaN, which are not JSON numbers.
  private static func json(_ value: Double, _ sink: inout ByteSink, _ number: (inout ByteSink) -> Void) {
    if !value.isFinite { sink.append(quote) }
    number(&sink)
    if !value.isFinite { sink.append(quote) }
  }

  package static func json(text bytes: UnsafeRawBufferPointer, _ sink: inout ByteSink) {
    sink.append(quote)
    var start = 0
    for (index, byte) in bytes.enumerated() where byte < 0x20 || byte == quote || byte == UInt8(ascii: "\\") {
      sink.append(UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
      start = index + 1
      switch byte {
      case quote: sink.append("\\\"")
      case UInt8(ascii: "\\"): sink.append("\\\\")
      case 0x0A: sink.append("\\n")
      case 0x0D: sink.append("\\r")
      case 0x09: sink.append("\\t")
      default:
        sink.append("\\u00")
        sink.append(hexadecimal(byte >> 4))
        sink.append(hexadecimal(byte & 15))
      }
    }
    sink.append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    sink.append(quote)
  }

  // MARK: Numbers

  /// Appends the shortest text that reads back as the same number.
  package static func number(_ value: Double, _ sink: inout ByteSink) {
    if value.isFinite { sink.append(value) } else { unusual(value, &sink) }
  }

  private static func number(_ value: Float, _ sink: inout ByteSink) {
    if value.isFinite { sink.append(value.description) } else { unusual(Double(value), &sink) }
  }

  /// Appends the same words as in stored JSON.
  private static func unusual(_ value: Double, _ sink: inout ByteSink) {
    sink.append(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
  }

  fileprivate static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
  }
}

// MARK: SQL

/// Writes stored values as SQL literals that SQLite reads as the identical values.
package enum SQLLiteral {
  package static func append(_ value: SQLValue, to sink: inout ByteSink) {
    switch value {
    case .null: sink.append("NULL")
    case .integer(.min): sink.append("(-9223372036854775807-1)")
    case .integer(let value): sink.append(value)
    case .real(let value) where value.isNaN: sink.append("'NaN'")
    case .real(let value) where value.isInfinite: sink.append(value < 0 ? "-9e999" : "9e999")
    case .real(let value): sink.append(value)
    case .text(let text) where text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A || $0 == 0x7F }):
      // SQL text ends at a zero byte, and the 'sqlite3' shell removes carriage returns at the end of a line.
      sink.append("CAST(")
      append(.blob(Array(text.utf8)), to: &sink)
      sink.append(" AS TEXT)")
    case .text(let text): sink.append(SQLFragment.quoted(text, "'"))
    case .blob(let bytes):
      sink.append("x'")
      bytes.withUnsafeBytes { append(hexadecimal: $0, to: &sink) }
      sink.append("'")
    case .list(let values): append(.text(JSONList.text(of: values)), to: &sink)
    }
  }

  package static func append(hexadecimal bytes: UnsafeRawBufferPointer, to sink: inout ByteSink) {
    for byte in bytes {
      sink.append(CellText.hexadecimal(byte >> 4))
      sink.append(CellText.hexadecimal(byte & 15))
    }
  }
}
