import CSQLite
import Foundation

/// A value type that every store knows: one definition for columns, predicates, sorts, unique constraints,
/// schemas and migrations.
///
/// To add a type, conform it and add it to ``StandardValues/all``. Everything else follows from the requirements.
protocol StandardValue: ColumnValue {
  /// What SQLite keeps.
  associatedtype Stored: StoredPrimitive
  /// The kind of the type in predicates and sorts.
  static var scalar: ScalarKind { get }
  /// The value of a stored form; nil if the stored form is none of this type.
  init?(stored: Stored)
  /// The form in a column. Equal values of one type have equal stored forms.
  var stored: Stored { get }
}

extension StandardValue {
  /// The column of the stored form.
  public static var columnType: ColumnType { Stored.standardColumn }

  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Self {
    guard let value = Self(stored: try Stored.readStored(&row, column, as: Self.self)) else {
      throw row.unreadable(column, as: Self.self)
    }
    return value
  }

  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try stored.bindStored(to: &row, parameter)
  }

  /// The stored form as a parameter of a statement.
  var sqlValue: SQLValue { stored.sqlValue }

  /// True if a store keeps the other value in the same bytes.
  func hasSameStoredForm(as other: Any) -> Bool {
    guard let other = other as? Self else { return false }
    return stored.hasSameBytes(as: other.stored)
  }
}

/// The standard value types.
enum StandardValues {
  static let all: [any StandardValue.Type] = [
    Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self,
    UInt32.self, UInt64.self, Float.self, Double.self, Decimal.self, String.self, Character.self, Date.self,
    UUID.self, URL.self, Data.self,
  ]

  private static let identities = Set(all.map { ObjectIdentifier($0) })
  private static let byName = Dictionary(
    all.map { ("\($0)", $0) } + all.map { (_typeName($0, qualified: true), $0) },
    uniquingKeysWith: { first, _ in first })

  /// True for a standard type itself, not for an optional of one.
  ///
  /// Compares types instead of asking for a conformance: the first such question about a type goes through every
  /// conformance of the program.
  static func contains(_ type: any Any.Type) -> Bool { identities.contains(ObjectIdentifier(type)) }

  /// The type with a name such as `Date` or `Foundation.Date`.
  static func type(named name: String) -> (any StandardValue.Type)? { byName[name] }
}

/// One of SQLite's storage classes as a Swift type.
protocol StoredPrimitive: Sendable {
  /// The column of values that say no more.
  static var standardColumn: ColumnType { get }
  static func readStored(_ row: inout StatementRow, _ column: Int32, as type: Any.Type) throws -> Self
  func bindStored(to row: inout StatementBinder, _ parameter: Int32) throws
  /// The value as a parameter of a statement.
  var sqlValue: SQLValue { get }
  func hasSameBytes(as other: Self) -> Bool
}

extension Int64: StoredPrimitive {
  static var standardColumn: ColumnType { ColumnType(.integer) }

  @inline(__always) static func readStored(
    _ row: inout StatementRow, _ column: Int32, as type: Any.Type
  ) throws -> Int64 {
    try row.integer(column, as: type)
  }

  @inline(__always) func bindStored(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(self, parameter)
  }

  var sqlValue: SQLValue { .integer(self) }
  func hasSameBytes(as other: Int64) -> Bool { self == other }
}

extension Double: StoredPrimitive {
  // ANY keeps -0.0, which SQLite stores as the integer 0 in a REAL column.
  static var standardColumn: ColumnType { ColumnType(.any, comparison: .real) }

  @inline(__always) static func readStored(
    _ row: inout StatementRow, _ column: Int32, as type: Any.Type
  ) throws -> Double {
    try row.real(column, as: type)
  }

  @inline(__always) func bindStored(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(self, parameter)
  }

  var sqlValue: SQLValue { SQLValue(number: self) }
  func hasSameBytes(as other: Double) -> Bool { bitPattern == other.bitPattern }
}

extension String: StoredPrimitive {
  static var standardColumn: ColumnType { ColumnType(.text) }

  @inline(__always) static func readStored(
    _ row: inout StatementRow, _ column: Int32, as type: Any.Type
  ) throws -> String {
    try row.text(column, as: type)
  }

  @inline(__always) func bindStored(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(self, parameter)
  }

  var sqlValue: SQLValue { .text(self) }
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Data: StoredPrimitive {
  static var standardColumn: ColumnType { ColumnType(.blob) }

  @inline(__always) static func readStored(
    _ row: inout StatementRow, _ column: Int32, as type: Any.Type
  ) throws -> Data {
    Data(try row.bytes(column, SQLITE_BLOB, as: type))
  }

  @inline(__always) func bindStored(to row: inout StatementBinder, _ parameter: Int32) throws {
    try withUnsafeBytes { try row.bind(blob: $0, parameter) }
  }

  var sqlValue: SQLValue { .blob([UInt8](self)) }
  func hasSameBytes(as other: Data) -> Bool { self == other }
}
