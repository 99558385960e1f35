import CSQLite
public import Foundation
import SchemaFacts

/// A standard value type: a single definition for columns, predicates, sorts, unique constraints, schemas and
/// migrations.
///
/// To add a type, add a conformance to this protocol and a case to `ScalarType`. Everything else follows from the
/// requirements.
package protocol StandardValue: ColumnValue {
  /// The SQLite storage type.
  associatedtype Stored: StoredPrimitive
  /// The type's kind in predicates and sorts.
  static var scalar: ScalarKind { get }
  /// Creates the value from the stored form; nil if the stored form is not valid for this type.
  init?(stored: Stored)
  /// The column form. Equal values have equal stored forms.
  var stored: Stored { get }
}

extension StandardValue {
  /// The stored form's column type.
  public static var columnType: ColumnType { Stored.standardColumn }

  /// Reads the value from a column.
  ///
  /// - Throws: An error with the row, property and value if the column has an unexpected form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Self {
    guard let value = Self(stored: try Stored.readStored(&row, column, as: Self.self)) else {
      throw row.unreadable(column, as: Self.self)
    }
    return value
  }

  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try stored.bindStored(to: &row, parameter)
  }

  /// The stored form as a statement parameter.
  var sqlValue: SQLValue { stored.sqlValue }
}

/// The standard value types.
package enum StandardValues {
  static let all = ScalarType.allCases.map(\.valueType)

  private static let identities = Set(all.map { ObjectIdentifier($0) })
  private static let byName = Dictionary(
    all.map { ("\($0)", $0) } + all.map { (_typeName($0, qualified: true), $0) },
    uniquingKeysWith: { first, _ in first })

  /// Returns true for a standard type itself, not for an optional standard type.
  ///
  /// Compares types instead of testing a conformance, because the first conformance test for a type searches every
  /// conformance in the process.
  static func contains(_ type: any Any.Type) -> Bool { identities.contains(ObjectIdentifier(type)) }

  /// Returns the type with a name such as `Date` or `Foundation.Date`.
  package static func type(named name: String) -> (any StandardValue.Type)? { byName[name] }
}

extension ScalarType {
  package var columnValue: any ColumnValue.Type { valueType }

  package var valueType: any StandardValue.Type {
    switch self {
    case .bool: Bool.self
    case .int: Int.self
    case .int8: Int8.self
    case .int16: Int16.self
    case .int32: Int32.self
    case .int64: Int64.self
    case .uint: UInt.self
    case .uint8: UInt8.self
    case .uint16: UInt16.self
    case .uint32: UInt32.self
    case .uint64: UInt64.self
    case .float: Float.self
    case .double: Double.self
    case .decimal: Decimal.self
    case .string: String.self
    case .character: Character.self
    case .date: Date.self
    case .duration: Duration.self
    case .uuid: UUID.self
    case .url: URL.self
    case .data: Data.self
    }
  }
}

/// A SQLite storage class as a Swift type.
package protocol StoredPrimitive: Sendable {
  /// The default column type.
  static var standardColumn: ColumnType { get }
  static func readStored(_ row: inout StatementRow, _ column: Int32, as type: Any.Type) throws -> Self
  func bindStored(to row: inout StatementBinder, _ parameter: Int32) throws
  /// The value as a statement parameter.
  var sqlValue: SQLValue { get }
}

extension Int64: StoredPrimitive {
  package static var standardColumn: ColumnType { ColumnType(.integer) }

  @inline(__always) package static func readStored(
    _ row: inout StatementRow, _ column: Int32, as type: Any.Type
  ) throws -> Int64 {
    try row.integer(column, as: type)
  }

  @inline(__always) package func bindStored(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(self, parameter)
  }

  package var sqlValue: SQLValue { .integer(self) }
}

extension Double: StoredPrimitive {
  // ANY preserves -0.0, which SQLite stores as the integer 0 in a REAL column.
  package static var standardColumn: ColumnType { ColumnType(.any, comparison: .real) }

  @inline(__always) package static func readStored(
    _ row: inout StatementRow, _ column: Int32, as type: Any.Type
  ) throws -> Double {
    try row.real(column, as: type)
  }

  @inline(__always) package func bindStored(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(self, parameter)
  }

  package var sqlValue: SQLValue { SQLValue(number: self) }
}

extension String: StoredPrimitive {
  package static var standardColumn: ColumnType { ColumnType(.text) }

  @inline(__always) package static func readStored(
    _ row: inout StatementRow, _ column: Int32, as type: Any.Type
  ) throws -> String {
    try row.text(column, as: type)
  }

  @inline(__always) package func bindStored(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(self, parameter)
  }

  package var sqlValue: SQLValue { .text(self) }
}

extension Data: StoredPrimitive {
  package static var standardColumn: ColumnType { ColumnType(.blob) }

  @inline(__always) package static func readStored(
    _ row: inout StatementRow, _ column: Int32, as type: Any.Type
  ) throws -> Data {
    Data(try row.bytes(column, SQLITE_BLOB, as: type))
  }

  @inline(__always) package func bindStored(to row: inout StatementBinder, _ parameter: Int32) throws {
    try withUnsafeBytes { try row.bind(blob: $0, parameter) }
  }

  package var sqlValue: SQLValue { .blob([UInt8](self)) }
}

// MARK: Numbers

extension Bool: StandardValue {
  public static var placeholder: Bool { false }
  package static var scalar: ScalarKind { .boolean }

  package init?(stored: Int64) {
    guard stored & ~1 == 0 else { return nil }
    self = stored == 1
  }

  package var stored: Int64 { self ? 1 : 0 }
}

/// An integer type whose values fit into SQLite's 64 signed bits.
protocol PlainInteger: StandardValue, FixedWidthInteger {}

extension PlainInteger {
  public static var placeholder: Self { 0 }
  package static var scalar: ScalarKind { .integer }
  package init?(stored: Int64) { self.init(exactly: stored) }
  package var stored: Int64 { Int64(truncatingIfNeeded: self) }
}

extension Int: PlainInteger {}
extension Int8: PlainInteger {}
extension Int16: PlainInteger {}
extension Int32: PlainInteger {}
extension Int64: PlainInteger {}
extension UInt8: PlainInteger {}
extension UInt16: PlainInteger {}
extension UInt32: PlainInteger {}

/// An unsigned 64-bit integer type. The stored form's sign bit is flipped, so that stored numbers have the same order
/// as the values.
protocol WideUnsignedInteger: StandardValue, FixedWidthInteger {}

extension WideUnsignedInteger {
  public static var placeholder: Self { 0 }
  package static var scalar: ScalarKind { .unsigned }
  package init?(stored: Int64) { self.init(exactly: UInt64(bitPattern: stored) ^ (1 << 63)) }
  package var stored: Int64 { Int64(bitPattern: UInt64(self) ^ (1 << 63)) }
}

extension UInt64: WideUnsignedInteger {}
extension UInt: WideUnsignedInteger {}

extension Double: StandardValue {
  public static var placeholder: Double { 0 }
  package static var scalar: ScalarKind { .real }
  package init?(stored: Double) { self = stored }
  package var stored: Double { self }
}

extension Float: StandardValue {
  public static var placeholder: Float { 0 }
  package static var scalar: ScalarKind { .float }

  package init?(stored: Double) {
    let value = Float(stored)
    // A number that exceeds Float's precision or range was not written by a Float property.
    guard Double(value) == stored || stored.isNaN else { return nil }
    self = value
  }

  package var stored: Double { Double(self) }
}

/// Stored as seconds since 1 January 2001, exactly as in `Date`.
extension Date: StandardValue {
  public static var placeholder: Date { Date(timeIntervalSinceReferenceDate: 0) }
  package static var scalar: ScalarKind { .date }
  package init?(stored: Double) { self.init(timeIntervalSinceReferenceDate: stored) }
  package var stored: Double { timeIntervalSinceReferenceDate }
}

/// Stored in the shortest decimal notation. Equal values have equal stored text.
extension Decimal: StandardValue {
  public static var columnType: ColumnType { ColumnType(.text, comparison: .decimal) }
  public static var placeholder: Decimal { 0 }
  package static var scalar: ScalarKind { .decimal }

  package init?(stored: String) {
    if stored == "NaN" {
      self = .nan
      return
    }
    // `Decimal(string:)` ignores the text after the first invalid character.
    guard let value = Decimal(string: stored, locale: Self.posix), value.description == stored else { return nil }
    self = value
  }

  package var stored: String { isNaN ? "NaN" : description }

  private static let posix = Locale(identifier: "en_US_POSIX")
}

/// Stored as whole nanoseconds; 64 bits represent up to 292 years. A longer duration has a stored form that no column
/// contains, so that comparisons with it have the correct result.
extension Duration: StandardValue {
  public static var placeholder: Duration { .zero }
  package static var scalar: ScalarKind { .integer }

  package init?(stored: Int64) {
    guard stored != .min, stored != .max else { return nil }
    self = .nanoseconds(stored)
  }

  package var stored: Int64 { Int64(clamping: wholeNanoseconds) }

  /// The duration in whole nanoseconds, rounded.
  package var wholeNanoseconds: Int128 {
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return whole + (rest >= 500_000_000 ? 1 : rest <= -500_000_000 ? -1 : 0)
  }

  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and an error if the duration exceeds 292 years.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    let stored = stored
    guard stored != .min, stored != .max else {
      return try UnencodableValue.locating(Int(parameter - StatementBinder.firstParameter)) {
        throw EncodingError.invalidValue(
          self, .init(codingPath: [], debugDescription: "A column cannot contain durations longer than 292 years."))
      }
    }
    try row.bind(stored, parameter)
  }
}

// MARK: Text and bytes

extension String: StandardValue {
  public static var columnType: ColumnType { ColumnType(.text, comparison: .text) }
  public static var placeholder: String { "" }
  package static var scalar: ScalarKind { .text }
  package init?(stored: String) { self = stored }
  package var stored: String { self }
}

extension Character: @retroactive Decodable, @retroactive Encodable {
  /// Decodes a character that ``encode(to:)`` encoded.
  ///
  /// - Throws: `DecodingError` if the data has a different structure.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let character = Character(stored: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not a single character")
    }
    self = character
  }

  /// Encodes the character.
  ///
  /// - Throws: Any error from the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(self))
  }
}

extension Character: StandardValue {
  public static var columnType: ColumnType { ColumnType(.text, comparison: .text) }
  public static var placeholder: Character { " " }
  package static var scalar: ScalarKind { .character }

  package init?(stored: String) {
    guard stored.count == 1, let character = stored.first else { return nil }
    self = character
  }

  package var stored: String { String(self) }
}

/// Stored as printed by Foundation: upper case, with dashes.
extension UUID: StandardValue {
  public static var placeholder: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
  package static var scalar: ScalarKind { .uuid }
  package init?(stored: String) { self.init(uuidString: stored) }
  package var stored: String { Hexadecimal.text(self) }
}

/// Stored as the URL's text. A relative URL is followed by the base in angle brackets, which URLs cannot contain.
extension URL: StandardValue {
  public static var placeholder: URL { URL(fileURLWithPath: "/") }
  package static var scalar: ScalarKind { .url }

  package init?(stored text: String) {
    guard text.hasSuffix(">"), let bracket = text.firstRange(of: " <") else {
      self.init(string: text)
      return
    }
    guard let base = URL(stored: String(text[bracket.upperBound...].dropLast())) else { return nil }
    self.init(string: String(text[..<bracket.lowerBound]), relativeTo: base)
  }

  package var stored: String {
    guard let baseURL else { return relativeString }
    return "\(relativeString) <\(baseURL.stored)>"
  }
}

extension Data: StandardValue {
  public static var placeholder: Data { Data() }
  package static var scalar: ScalarKind { .data }
  package init?(stored: Data) { self = stored }
  package var stored: Data { self }
}
