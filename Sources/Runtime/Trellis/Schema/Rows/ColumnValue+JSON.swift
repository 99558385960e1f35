import CSQLite
import Foundation

/// Any other `Codable` value is stored as JSON text.
extension ColumnValue {
  public static var columnType: ColumnType { ColumnType(.text, comparison: .none) }

  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Self {
    try JSONColumn.read(&row, column)
  }

  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try JSONColumn.bind(self, to: &row, parameter)
  }
}

extension Array: ColumnValue where Element: ColumnValue {
  public static var placeholder: [Element] { [] }
}

extension Set: ColumnValue where Element: ColumnValue {
  public static var placeholder: Set<Element> { [] }

  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try JSONColumn.bind(to: &row, parameter) {
      // Sorted by text, so that equal sets have one form.
      let texts = try map { try JSONColumn.text(of: $0) }
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      return "[\(texts.joined(separator: ","))]"
    }
  }
}

extension Dictionary: ColumnValue where Key: ColumnValue, Value: ColumnValue {
  public static var placeholder: [Key: Value] { [:] }

  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    let hasNames =
      Key.self is String.Type || Key.self is Int.Type || Key.self is any CodingKeyRepresentable.Type
    if hasNames {
      return try JSONColumn.bind(self, to: &row, parameter)
    }
    try JSONColumn.bind(to: &row, parameter) {
      // Keys and values in turn, as `Dictionary` codes itself, in the order of the keys' texts.
      let pairs = try map { (try JSONColumn.text(of: $0), try JSONColumn.text(of: $1)) }
        .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
      return "[\(pairs.map { "\($0),\($1)" }.joined(separator: ","))]"
    }
  }
}

/// Values as JSON text: sorted keys, and words for the numbers JSON does not have.
package enum JSONColumn {
  private static let positiveInfinity = "Infinity"
  private static let negativeInfinity = "-Infinity"
  private static let nan = "NaN"

  /// - Throws: ``UnencodableValue``.
  package static func text<T: Encodable>(of value: T) throws -> String {
    do {
      try NestingCheck.check(value)
      return try encoded(value)
    } catch {
      throw UnencodableValue(error)
    }
  }

  private static func encoded<T: Encodable>(_ value: T) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: positiveInfinity, negativeInfinity: negativeInfinity, nan: nan)
    let text = try encoder.encode(value)
    try check(text, of: "\(T.self)")
    return String(decoding: text, as: UTF8.self)
  }

  /// Refuses a `Decimal` that is not a number inside of something else: the encoder writes it as it is,
  /// and no decoder reads that.
  private static func check(_ text: Data, of name: String) throws {
    let mayHold = text.withUnsafeBytes(mentionsNaN)
    guard mayHold, (try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)) == nil
    else { return }
    throw DecimalNotANumber(name: name)
  }

  private struct DecimalNotANumber: Error, CustomStringConvertible {
    let name: String
    var description: String { "'\(name)' contains a 'Decimal' that is not a number, which JSON does not have" }
  }

  private static func mentionsNaN(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard var start = bytes.baseAddress else { return false }
    let end = start + bytes.count
    while let found = memchr(start, Int32(UInt8(ascii: "N")), end - start) {
      let place = UnsafeRawPointer(found)
      if end - place >= nan.utf8.count, memcmp(place, nan, nan.utf8.count) == 0 { return true }
      start = place + 1
    }
    return false
  }

  package static func value<T: Decodable>(_ type: T.Type, from bytes: Data) throws -> T {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: positiveInfinity, negativeInfinity: negativeInfinity, nan: nan)
    return try decoder.decode(type, from: bytes)
  }

  static func read<T: Codable>(_ row: inout StatementRow, _ column: Int32) throws -> T {
    if row.isNull(column) {
      guard !row.isRequired(column), let none = NilLiteral.value(T.self) else {
        throw row.unreadable(column, as: T.self)
      }
      return none
    }
    let bytes = try row.bytes(column, SQLITE_TEXT, as: T.self)
    do {
      let value = try value(T.self, from: Data(bytes))
      SeenValues.note(value)
      return value
    } catch is DecodingError {
      throw row.unreadable(column, as: T.self)
    }
  }

  package static func bind<T: Codable>(
    _ value: T, to row: inout StatementBinder, _ parameter: Int32
  ) throws {
    if (value as? any OptionalValue)?.isNil == true { return try row.bindNull(parameter) }
    SeenValues.note(value)
    try bind(to: &row, parameter) { try text(of: value) }
  }

  static func bind(to row: inout StatementBinder, _ parameter: Int32, _ text: () throws -> String) throws {
    try row.bind(UnencodableValue.locating(Int(parameter - StatementBinder.firstParameter), text), parameter)
  }
}
