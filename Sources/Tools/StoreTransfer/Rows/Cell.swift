import CSQLite
import Foundation
import Trellis

/// A stored value to export. Bytes point into SQLite's row and are valid until the next row.
package enum Cell {
  case null
  case boolean(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case real(Double)
  case float(Float)
  /// Valid UTF-8.
  case text(UnsafeRawBufferPointer)
  case json(UnsafeRawBufferPointer)
  case date(Double)
  case data(UnsafeRawBufferPointer)
  /// The name of the file with the data.
  case file(UnsafeRawBufferPointer)

  /// Reads a column of the current row.
  ///
  /// - Returns: `nil` if the value does not match the column's form.
  @inline(__always) package init?(_ form: CellForm, _ row: OpaquePointer, _ column: Int32) {
    let type = sqlite3_column_type(row, column)
    guard type != SQLITE_NULL else {
      self = .null
      return
    }
    switch form {
    case .integer, .duration:
      guard type == SQLITE_INTEGER else { return nil }
      self = .integer(sqlite3_column_int64(row, column))
    case .boolean:
      guard type == SQLITE_INTEGER else { return nil }
      let value = sqlite3_column_int64(row, column)
      guard value & ~1 == 0 else { return nil }
      self = .boolean(value == 1)
    case .presence:
      guard type == SQLITE_INTEGER else { return nil }
      self = .boolean(true)
    case .unsigned:
      guard type == SQLITE_INTEGER else { return nil }
      self = .unsigned(UInt64(bitPattern: sqlite3_column_int64(row, column)) ^ (1 << 63))
    case .real, .date, .float:
      guard let value = Self.number(row, column, type) else { return nil }
      switch form {
      case .date: self = .date(value)
      case .float:
        let float = Float(value)
        guard Double(float) == value || value.isNaN else { return nil }
        self = .float(float)
      default: self = .real(value)
      }
    case .text, .character, .url, .uuid, .decimal, .className:
      guard type == SQLITE_TEXT, let text = Self.text(row, column) else { return nil }
      self = .text(text)
    case .json:
      guard type == SQLITE_TEXT, let text = Self.text(row, column) else { return nil }
      self = .json(text)
    case .data:
      guard type == SQLITE_BLOB else { return nil }
      self = .data(Statement.bytes(row, column))
    case .external:
      switch type {
      case SQLITE_BLOB: self = .data(Statement.bytes(row, column))
      case SQLITE_TEXT: self = .file(Statement.bytes(row, column))
      default: return nil
      }
    }
  }

  /// Reads a number. NaN is stored as text, because SQLite has no NaN. Integers are accepted, because other tools may
  /// write them.
  @inline(__always) private static func number(_ row: OpaquePointer, _ column: Int32, _ type: Int32) -> Double? {
    switch type {
    case SQLITE_FLOAT, SQLITE_INTEGER: sqlite3_column_double(row, column)
    default: Statement.bytes(row, column).elementsEqual("NaN".utf8) ? .nan : nil
    }
  }

  /// Returns the text's bytes, or `nil` if they are not valid UTF-8.
  @inline(__always) private static func text(_ row: OpaquePointer, _ column: Int32) -> UnsafeRawBufferPointer? {
    let bytes = Statement.bytes(row, column)
    return UnicodeText.isASCII(bytes) || UnicodeText.isValid(bytes) ? bytes : nil
  }
}

/// Validates text.
package enum UnicodeText {
  @inline(__always) package static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var all: UInt8 = 0
    for byte in bytes { all |= byte }
    return all < 0x80
  }

  /// Returns true for valid UTF-8.
  package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.withMemoryRebound(to: UInt8.self) { (try? UTF8Span(validating: $0.span)) != nil }
  }
}

/// A value that cannot be exported.
package struct UnexportableValue: Error, CustomStringConvertible {
  package let description: String

  package init(_ column: RowColumn, of table: RowTable, row: String, _ reason: String) {
    description =
      "\(table.name).\(column.name) of row \(row) \(reason), so nothing was exported; 'trellis store check' lists all "
      + "damaged values"
  }
}
