import CPostgres
import Foundation
package import Trellis

/// The current row of a result, read as a model row.
///
/// If a string is not in Normalization Form C, the original is stored in ``PostgresLayout/exactColumn``. It is used
/// only if its normalized form equals the column's value, because other software may have changed the column.
package final class ResultRow: RowCells {
  // Accessed for each value. Nothing called during an access reenters the row.
  @exclusivity(unchecked) fileprivate var result: OpaquePointer?
  /// The row's index in the result.
  @exclusivity(unchecked) private var index: Int32 = 0
  @exclusivity(unchecked) private var types: [UInt32] = []
  /// True for handwritten queries, whose columns may have any numeric, date or text type that can be converted to the
  /// property.
  var isOwn = false
  /// The column with the original strings; `nil` if the result has no such column.
  @exclusivity(unchecked) private var exactColumn: Int32?
  /// The row's original strings, by column.
  @exclusivity(unchecked) private var exact: [Int32: [UInt8]] = [:]
  /// Memory for the text of a value that the server sends in a different form. The text is valid until the next such
  /// value.
  @exclusivity(unchecked) private var kept = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 8)

  deinit { kept.deallocate() }

  /// Resets the row for the next statement's result.
  func begin() {
    types.removeAll(keepingCapacity: true)
    exactColumn = nil
  }

  func move(to result: OpaquePointer, _ index: Int32) {
    self.result = result
    self.index = index
    if types.isEmpty { describe(result) }
    if !exact.isEmpty { exact.removeAll() }
    if let exactColumn, PQgetisnull(result, index, exactColumn) == 0 { readExact(exactColumn) }
  }

  private func describe(_ result: OpaquePointer) {
    for column in 0..<PQnfields(result) {
      types.append(PQftype(result, column))
      if let name = PQfname(result, column), strcmp(name, PostgresLayout.exactColumn) == 0 { exactColumn = column }
    }
  }

  private func readExact(_ column: Int32) {
    // The binary form of jsonb begins with a version number.
    let isText = types[Int(column)] == 25
    guard
      let texts = try? JSONDecoder().decode([String: String].self, from: Data(bytes(column).dropFirst(isText ? 0 : 1))),
      let result
    else { return }
    for (name, text) in texts {
      for column in 0..<PQnfields(result) {
        guard let own = PQfname(result, column), strcmp(own, PostgresName.shortened(name)) == 0,
          TextRules.normalized(text).utf8.elementsEqual(bytes(column))
        else { continue }
        exact[column] = Array(text.utf8)
      }
    }
  }

  private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: PQgetvalue(result, index, column), count: Int(PQgetlength(result, index, column)))
  }

  private func load<T: FixedWidthInteger>(_ column: Int32, _: T.Type) -> T {
    T(bigEndian: UnsafeRawPointer(PQgetvalue(result, index, column)).loadUnaligned(as: T.self))
  }

  // MARK: values

  package func isNull(_ column: Int32) -> Bool { PQgetisnull(result, index, column) != 0 }

  package func integer(_ column: Int32) -> Int64? {
    guard PQgetisnull(result, index, column) == 0 else { return nil }
    switch types[Int(column)] {
    case 20: return load(column, Int64.self)
    case 16: return PQgetvalue(result, index, column).pointee == 0 ? 0 : 1
    case 23: return Int64(load(column, Int32.self))
    case 21: return Int64(load(column, Int16.self))
    case 1700 where isOwn: return string(column).flatMap { Int64($0) }
    case 1700:
      return NumericCoding.text(of: bytes(column)).flatMap { UInt64($0) }.map { Int64(bitPattern: $0 ^ (1 << 63)) }
    default: return nil
    }
  }

  package func real(_ column: Int32) -> Double? {
    guard PQgetisnull(result, index, column) == 0 else { return nil }
    switch types[Int(column)] {
    case 701: return Double(bitPattern: load(column, UInt64.self))
    case 700: return Double(Float(bitPattern: load(column, UInt32.self)))
    case 1700 where isOwn: return string(column).flatMap { Double($0) }
    case 20 where isOwn, 21 where isOwn, 23 where isOwn: return integer(column).map { Double($0) }
    // `timestamptz` and `date` count from 2000-01-01 in UTC, 366 days before the reference date.
    case 1184 where isOwn: return Double(load(column, Int64.self)) / 1e6 - 31_622_400
    case 1082 where isOwn: return Double(load(column, Int32.self)) * 86_400 - 31_622_400
    default: return nil
    }
  }

  package func text(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard PQgetisnull(result, index, column) == 0 else { return nil }
    switch types[Int(column)] {
    case 3802 where isOwn: return UnsafeRawBufferPointer(rebasing: bytes(column).dropFirst())
    case 25, 114, 1043, 1042, 19:
      guard !exact.isEmpty, let text = exact[column] else { return bytes(column) }
      return keep(text)
    case 2950: return keep(Hexadecimal.text(UUID(uuid: bytes(column).loadUnaligned(as: uuid_t.self))).utf8)
    case 1700: return NumericCoding.text(of: bytes(column)).map { keep($0.utf8) }
    default: return nil
    }
  }

  private func keep(_ text: some Collection<UInt8>) -> UnsafeRawBufferPointer {
    if text.count > kept.count {
      kept.deallocate()
      kept = .allocate(byteCount: text.count * 2, alignment: 8)
    }
    kept.copyBytes(from: text)
    return UnsafeRawBufferPointer(rebasing: kept[..<text.count])
  }

  package func blob(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard PQgetisnull(result, index, column) == 0, types[Int(column)] == 17 else { return nil }
    return bytes(column)
  }

  /// Returns a column's value as text, for any type; `nil` for NULL.
  func string(_ column: Int32) -> String? { text(column).map { String(decoding: $0, as: UTF8.self) } }
}

extension ResultRow {
  /// The result's column names.
  var names: [String] {
    (0..<PQnfields(result)).map { column in PQfname(result, column).map { String(cString: $0) } ?? "" }
  }

  /// The result's column count.
  var count: Int32 { PQnfields(result) }

  /// The row's values in the form in which SQLite stores them.
  package var values: [SQLValue] {
    (0..<count).map { column in
      // Only `numeric(20)`, which contains unsigned integers, has a modifier.
      let isDecimal = types[Int(column)] == 1700 && PQfmod(result, column) < 0
      if !isDecimal, let integer = integer(column) { return .integer(integer) }
      if let real = real(column) { return SQLValue(number: real) }
      return string(column).map { .text($0) } ?? blob(column).map { .blob(Array($0)) } ?? .null
    }
  }

  /// The integer in the last column.
  var last: Int64? { integer(PQnfields(result) - 1) }
}
