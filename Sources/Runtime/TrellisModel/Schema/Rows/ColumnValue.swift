import Foundation

/// A type that is stored in exactly one column.
///
/// The standard value types conform. The schema compiler generates a conformance for each enum and struct that a schema
/// declares. Enums with raw values are stored as raw values, and any other `Codable` type as JSON text.
public protocol ColumnValue: Codable, Sendable {
  /// The SQLite column type.
  static var columnType: ColumnType { get }

  /// Reads the value from a row's column.
  static func read(_ row: inout StatementRow, _ column: Int32) throws -> Self

  /// Binds the value to a parameter, numbered from 1.
  func bind(to row: inout StatementBinder, _ parameter: Int32) throws

  /// The value for an object if only the identifier is known.
  static var placeholder: Self { get }
}

/// A column type in a STRICT table.
public struct ColumnType: Sendable, Hashable {
  /// A column's SQLite type.
  public enum Affinity: String, Sendable {
    /// Integers.
    case integer = "INTEGER"
    /// Text.
    case text = "TEXT"
    /// Bytes.
    case blob = "BLOB"
    /// Any value, stored as bound.
    case any = "ANY"
  }

  /// The column's SQLite type.
  public var affinity: Affinity
  /// True if the column can be NULL.
  public var isOptional: Bool
  /// The comparison rule, for types that SQLite does not compare as Swift does.
  public var comparison: Comparison

  /// The comparison rule for a column's values.
  public enum Comparison: String, Sendable {
    /// SQLite's order is equal to Swift's.
    case plain
    /// Text, compared by bytes as long as every value is NFC.
    case text
    /// Numbers that may be NaN, which is stored as the text `NaN`.
    case real
    /// Canonical decimal text, compared by value.
    case decimal
    /// Unordered. Values are equal if the stored forms are equal.
    case none
  }

  /// Creates a column type.
  public init(_ affinity: Affinity, isOptional: Bool = false, comparison: Comparison = .plain) {
    self.affinity = affinity
    self.isOptional = isOptional
    self.comparison = comparison
  }
}

/// Nil is stored as NULL.
extension Optional: ColumnValue where Wrapped: ColumnValue {
  public static var columnType: ColumnType {
    var type = Wrapped.columnType
    type.isOptional = true
    return type
  }

  @inlinable public static var placeholder: Wrapped? { nil }

  /// Reads the value from a column.
  ///
  /// - Throws: An error with the row, property and value if the column has an unexpected form.
  @inlinable public static func read(
    _ row: inout StatementRow, _ column: Int32
  ) throws -> Wrapped? {
    row.isNull(column) ? nil : try Wrapped.read(&row, column)
  }

  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value.
  @inlinable public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    switch self {
    case .none: try row.bindNull(parameter)
    case .some(let wrapped): try wrapped.bind(to: &row, parameter)
    }
  }
}

/// Enums and structs with raw values are stored as raw values.
extension ColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
  public static var columnType: ColumnType { RawValue.columnType }

  /// Reads the value from a column.
  ///
  /// - Throws: An error with the row, property and value if the column has an unexpected form.
  @inlinable public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Self {
    guard let value = Self(rawValue: try RawValue.read(&row, column)) else {
      throw row.unreadable(column, as: Self.self)
    }
    return value
  }

  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value.
  @inlinable public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try rawValue.bind(to: &row, parameter)
  }
}

// MARK: Values as JSON

/// Any other `Codable` value is stored as JSON text.
extension ColumnValue {
  public static var columnType: ColumnType { ColumnType(.text, comparison: .none) }

  /// Reads the value from a column.
  ///
  /// - Throws: An error with the row, property and value if the column has an unexpected form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Self {
    try JSONColumn.read(&row, column)
  }

  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value.
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
  /// - Throws: ``SQLiteError`` if SQLite rejects the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try JSONColumn.bind(to: &row, parameter) {
      // Sorted by text, so that equal sets have equal stored forms.
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
  /// - Throws: ``SQLiteError`` if SQLite rejects the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    let hasNames =
      Key.self is String.Type || Key.self is Int.Type || Key.self is any CodingKeyRepresentable.Type
    if hasNames {
      return try JSONColumn.bind(self, to: &row, parameter)
    }
    try JSONColumn.bind(to: &row, parameter) {
      // Alternating keys and values, as `Dictionary` encodes itself, sorted by key text.
      let pairs = try map { (try JSONColumn.text(of: $0), try JSONColumn.text(of: $1)) }
        .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
      return "[\(pairs.map { "\($0),\($1)" }.joined(separator: ","))]"
    }
  }
}

// MARK: Types of other modules

/// The column form for a type whose declaration the generator did not see. The compiler selects an overload of `of`.
public struct AutomaticForm<Value> {
  let read: (inout StatementRow, Int) throws -> Value
  let write: (inout StatementBinder, Int, Value) throws -> Void

  /// Stored as JSON.
  public static func of<T: Codable>(_: T?.Type) -> Self where Value == T? {
    Self(read: { try $0.codable($1) }, write: { try $0.codable($1, $2) })
  }

  /// Stored as the raw value.
  public static func of<T: RawRepresentable & Codable>(_: T?.Type) -> Self where Value == T?, T.RawValue: ColumnValue {
    Self(read: { try $0.raw($1) }, write: { try $0.raw($1, $2) })
  }

  /// A type alias for a type that is stored in one column.
  public static func of<T: ColumnValue>(_: T?.Type) -> Self where Value == T? {
    Self(read: { try $0.value($1) }, write: { try $0.value($1, $2) })
  }

  /// A type alias for a single-column type with raw values.
  public static func of<T: ColumnValue & RawRepresentable>(_: T?.Type) -> Self
  where Value == T?, T.RawValue: ColumnValue {
    Self(read: { try $0.value($1) }, write: { try $0.value($1, $2) })
  }

  /// Stored as JSON, because the raw value may be nil and NULL already represents a missing value.
  public static func of<T: RawRepresentable & Codable, Raw: ColumnValue>(_: T?.Type) -> Self
  where Value == T?, T.RawValue == Raw? {
    Self(read: { try $0.codable($1) }, write: { try $0.codable($1, $2) })
  }

  /// A type alias for an optional type, stored as JSON.
  public static func of<T: Codable>(_: T??.Type) -> Self where Value == T?? {
    Self(read: { .some(try $0.codable($1) as T?) }, write: { try $0.codable($1, $2 ?? nil) })
  }

  /// A type alias for an optional type that is stored in one column.
  public static func of<T: ColumnValue>(_: T??.Type) -> Self where Value == T?? {
    Self(read: { .some(try $0.value($1) as T?) }, write: { try $0.value($1, $2 ?? nil) })
  }

  /// A type alias for an optional type, stored as the raw value.
  public static func of<T: RawRepresentable & Codable>(_: T??.Type) -> Self
  where Value == T??, T.RawValue: ColumnValue {
    Self(read: { .some(try $0.raw($1) as T?) }, write: { try $0.raw($1, $2 ?? nil) })
  }
}

// MARK: Structs with a column for each property

/// A struct that can be stored with one column per property: `@Attribute(.flattened)`.
///
/// The schema compiler generates the conformance.
public protocol FlattenedValue: ColumnValue {
  /// The properties in column order.
  static var _$members: [FlattenedMember] { get }

  /// Reads each property from the corresponding column.
  init(_$row row: inout StatementRow, _ columns: [Int32]) throws

  /// Binds each property to the corresponding parameter.
  func _$bind(to row: inout StatementBinder, _ parameters: [Int32]) throws
}

/// A flattened struct's property.
public struct FlattenedMember: @unchecked Sendable {  // key paths without captured values
  package let name: String
  package let type: any ColumnValue.Type
  /// The key path from the struct.
  package let keyPath: AnyKeyPath
  /// The key path from the optional struct.
  let optionalKeyPath: AnyKeyPath
  /// The value for rows that were written before the property was added to the struct.
  package let preset: (any ColumnValue)?

  /// Creates a member. Called by generated code.
  public init<Root, Value: ColumnValue>(
    _ name: String, _ keyPath: KeyPath<Root, Value>, _ optionalKeyPath: AnyKeyPath,
    default preset: Value? = nil
  ) {
    self.name = name
    self.type = Value.self
    self.keyPath = keyPath
    self.optionalKeyPath = optionalKeyPath
    self.preset = preset
  }

  /// Creates a member for a struct that does not exist in this process. Its key paths are placeholders.
  package init(described name: String, type: any ColumnValue.Type) {
    self.name = name
    self.type = type
    keyPath = \FlattenedMember.name
    optionalKeyPath = \FlattenedMember.name
    preset = nil
  }
}
