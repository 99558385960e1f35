import CSQLite
import Foundation
import Trellis

/// Collects statistics about the values in each column, in a single pass over a table.
struct ValueScan {
  /// A column's values.
  struct Column {
    var counts = ValueCounts()
    var smallestInteger = Int64.max
    var largestInteger = Int64.min
    var smallestReal = Double.infinity
    var largestReal = -Double.infinity
    /// True if every real is a whole number that an integer can represent.
    var hasWholeReals = true
    /// UUIDs with dashes.
    var uuidTexts: Int64 = 0
    /// UUIDs as 32 hexadecimal digits.
    var hexTexts: Int64 = 0
    var uuidBlobs: Int64 = 0
    var isoDates: Int64 = 0
    var jsonTexts: Int64 = 0
    /// Decimal numbers as text.
    var numberTexts: Int64 = 0
    fileprivate var seen: Int32 = 0
  }

  private(set) var columns: [Column]
  private(set) var rows: Int64 = 0

  /// - Parameters:
  ///   - names: The column names.
  ///   - report: Called after each block of rows.
  init(_ table: String, _ names: [String], _ connection: Connection, report: (Int64) -> Void) throws {
    columns = Array(repeating: Column(), count: names.count)
    guard !names.isEmpty else { return }
    let statement = try Statement(verbatim: "SELECT \(names: names) FROM \(name: table)", on: connection)
    // An unsafe buffer avoids array checks for every value.
    try columns.withUnsafeMutableBufferPointer { columns in
      while try statement.step() {
        rows += 1
        if rows & 0x3FFF == 0 { report(0x4000) }
        for index in columns.indices {
          columns[index].add(sqlite3_column_value(statement.handle, Int32(index)), statement, Int32(index))
        }
      }
    }
  }
}

extension ValueScan.Column {
  @inline(__always) fileprivate mutating func add(_ value: OpaquePointer?, _ statement: Statement, _ index: Int32) {
    let type = sqlite3_value_type(value)
    switch type {
    case SQLITE_INTEGER:
      counts.integers += 1
      let number = sqlite3_value_int64(value)
      if number < smallestInteger { smallestInteger = number }
      if number > largestInteger { largestInteger = number }
    case SQLITE_FLOAT:
      counts.reals += 1
      let number = sqlite3_value_double(value)
      if number < smallestReal { smallestReal = number }
      if number > largestReal { largestReal = number }
      if hasWholeReals, Int64(exactly: number) == nil { hasWholeReals = false }
    case SQLITE_TEXT:
      counts.texts += 1
      add(text: ValueHash.text(value))
    case SQLITE_BLOB:
      counts.blobs += 1
      if sqlite3_value_bytes(value) == 16 { uuidBlobs += 1 }
    default:
      counts.nulls += 1
      return
    }
    if seen & (1 << type) == 0 {
      seen |= 1 << type
      counts.examples.append(RowCheck.Reason.shown(statement.intactValue(index)))
    }
  }

  private mutating func add(text bytes: UnsafeBufferPointer<UInt8>) {
    guard let first = bytes.first else { return }
    if bytes.reduce(0, |) >= 0x80 {
      if String(validating: bytes, as: UTF8.self) == nil { counts.invalidTexts += 1 }
      return
    }
    switch first {
    case 48...57, 45, 43, 46:
      if (10...40).contains(bytes.count), ISODate.seconds(of: bytes) != nil {
        isoDates += 1
        if ISODate.isRounded(bytes) { counts.roundedDates += 1 }
      }
      if bytes.count < 40, DecimalForm.isNumber(bytes) { numberTexts += 1 }
      if bytes.count == 36 || bytes.count == 32 { addUUID(bytes) }
    case 65...70, 97...102: if bytes.count == 36 || bytes.count == 32 { addUUID(bytes) }
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if bytes.last == first + 2 { jsonTexts += 1 }
    default: break
    }
  }

  private mutating func addUUID(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard UUIDText.canonical(bytes, isText: true) != nil else { return }
    if bytes.count == 36 { uuidTexts += 1 } else { hexTexts += 1 }
  }
}
