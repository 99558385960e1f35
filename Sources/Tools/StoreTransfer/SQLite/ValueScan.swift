import CSQLite
import Foundation
import Trellis

/// Reads every value of a table once and finds out what the columns contain.
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
    /// Text of 32 hexadecimal digits.
    var hexTexts: Int64 = 0
    var uuidBlobs: Int64 = 0
    var isoDates: Int64 = 0
    var jsonTexts: Int64 = 0
    /// Text that is a decimal number.
    var numberTexts: Int64 = 0
    fileprivate var seen: Int32 = 0
    /// The storage classes of the examples.
    fileprivate var classes: [Int32] = []
  }

  private(set) var columns: [Column]
  private(set) var rows: Int64 = 0

  /// - Parameters:
  ///   - names: The columns.
  ///   - number: The column with the row numbers; nil if there is none.
  ///   - url: A database that does not change.
  ///   - report: Called after each block of rows.
  static func read(
    _ table: String, _ names: [String], number: String?, _ url: URL, report: @Sendable (Int64) -> Void
  ) throws -> ValueScan {
    let parts = try TableHalves.read(
      table, by: number, open: { try Connection(url.path, .readOnly, isImmutable: true) }
    ) { connection, condition in
      let query: SQLFragment = "SELECT \(names: names) FROM \(name: table) WHERE \(condition)"
      return try ValueScan(Statement(verbatim: query, on: connection), names.count, report)
    }
    var result = parts[0]
    for part in parts.dropFirst() { result.formUnion(part) }
    return result
  }

  private mutating func formUnion(_ other: ValueScan) {
    rows += other.rows
    for index in columns.indices { columns[index].formUnion(other.columns[index]) }
  }

  private init(_ statement: Statement, _ count: Int, _ report: (Int64) -> Void) throws {
    columns = Array(repeating: Column(), count: count)
    // Without a buffer, each access to a column would be checked.
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
      classes.append(type)
      counts.examples.append(RowCheck.Reason.shown(statement.intactValue(index)))
    }
  }

  /// Adds the values of later rows.
  fileprivate mutating func formUnion(_ other: Self) {
    let sums: [WritableKeyPath<Self, Int64>] = [
      \.counts.nulls, \.counts.integers, \.counts.reals, \.counts.texts, \.counts.blobs, \.counts.invalidTexts,
      \.uuidTexts, \.hexTexts, \.uuidBlobs, \.isoDates, \.jsonTexts, \.numberTexts,
    ]
    for sum in sums { self[keyPath: sum] += other[keyPath: sum] }
    smallestInteger = min(smallestInteger, other.smallestInteger)
    largestInteger = max(largestInteger, other.largestInteger)
    smallestReal = min(smallestReal, other.smallestReal)
    largestReal = max(largestReal, other.largestReal)
    hasWholeReals = hasWholeReals && other.hasWholeReals
    for (type, example) in zip(other.classes, other.counts.examples) where seen & (1 << type) == 0 {
      classes.append(type)
      counts.examples.append(example)
    }
    seen |= other.seen
  }

  private mutating func add(text bytes: UnsafeBufferPointer<UInt8>) {
    guard let first = bytes.first else { return }
    if bytes.reduce(0, |) >= 0x80 {
      if String(validating: bytes, as: UTF8.self) == nil { counts.invalidTexts += 1 }
      return
    }
    switch first {
    case 48...57, 45, 43, 46:
      if (10...40).contains(bytes.count), ISODate.seconds(of: bytes) != nil { isoDates += 1 }
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
