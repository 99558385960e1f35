import Foundation

/// A type that fills exactly one column of a store.
///
/// The standard value types conform; the schema compiler writes a conformance for each enum and
/// struct a schema declares. An enum with raw values is stored as its raw value, any other
/// `Codable` type as JSON text.
public protocol ColumnValue: Codable, Sendable {
  /// How SQLite keeps the value.
  static var columnType: ColumnType { get }

  /// The value of a row's column.
  static func read(_ row: inout StatementRow, _ column: Int32) throws -> Self

  /// Binds the value to a parameter, numbered from 1.
  func bind(to row: inout StatementBinder, _ parameter: Int32) throws

  /// A value for an object of which only the identifier is known.
  static var placeholder: Self { get }
}

/// The kinds of column a STRICT table of ours has.
public struct ColumnType: Sendable, Hashable {
  /// How SQLite keeps the values of a column.
  public enum Affinity: String, Sendable {
    /// Whole numbers.
    case integer = "INTEGER"
    /// Text.
    case text = "TEXT"
    /// Bytes.
    case blob = "BLOB"
    /// Whatever is bound, as it is.
    case any = "ANY"
  }

  /// How SQLite keeps the values.
  public var affinity: Affinity
  /// Whether NULL is a value of the type.
  public var isOptional: Bool
  /// What comparing two values means, where that is not what SQLite does by itself.
  public var comparison: Comparison

  /// How values of a column compare, where their stored form does not say.
  public enum Comparison: String, Sendable {
    /// SQLite's own order is Swift's.
    case plain
    /// Text: bytes, while every value is NFC.
    case text
    /// Numbers that may be NaN, kept as the text `NaN`.
    case real
    /// Canonical decimal text, compared by value.
    case decimal
    /// Has no order; equality is equality of the stored form.
    case none
  }

  /// A column of that affinity.
  public init(_ affinity: Affinity, isOptional: Bool = false, comparison: Comparison = .plain) {
    self.affinity = affinity
    self.isOptional = isOptional
    self.comparison = comparison
  }
}

/// NULL is nil.
extension Optional: ColumnValue where Wrapped: ColumnValue {
  public static var columnType: ColumnType {
    var type = Wrapped.columnType
    type.isOptional = true
    return type
  }

  @inlinable public static var placeholder: Wrapped? { nil }

  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  @inlinable public static func read(
    _ row: inout StatementRow, _ column: Int32
  ) throws -> Wrapped? {
    row.isNull(column) ? nil : try Wrapped.read(&row, column)
  }

  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  @inlinable public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    switch self {
    case .none: try row.bindNull(parameter)
    case .some(let wrapped): try wrapped.bind(to: &row, parameter)
    }
  }
}

/// An enum or struct with raw values is stored as its raw value.
extension ColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
  public static var columnType: ColumnType { RawValue.columnType }

  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  @inlinable public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Self {
    guard let value = Self(rawValue: try RawValue.read(&row, column)) else {
      throw row.unreadable(column, as: Self.self)
    }
    return value
  }

  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
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

// MARK: Types of other modules

/// How a column keeps the values of a type whose declaration the generator did not see: the compiler chooses an overload
/// of `of`.
public struct AutomaticForm<Value> {
  let read: (inout StatementRow, Int) throws -> Value
  let write: (inout StatementBinder, Int, Value) throws -> Void

  /// As JSON.
  public static func of<T: Codable>(_: T?.Type) -> Self where Value == T? {
    Self(read: { try $0.codable($1) }, write: { try $0.codable($1, $2) })
  }

  /// As the raw value.
  public static func of<T: RawRepresentable & Codable>(_: T?.Type) -> Self where Value == T?, T.RawValue: ColumnValue {
    Self(read: { try $0.raw($1) }, write: { try $0.raw($1, $2) })
  }

  /// A type alias of a type that fills one column.
  public static func of<T: ColumnValue>(_: T?.Type) -> Self where Value == T? {
    Self(read: { try $0.value($1) }, write: { try $0.value($1, $2) })
  }

  /// The same of a type with raw values.
  public static func of<T: ColumnValue & RawRepresentable>(_: T?.Type) -> Self
  where Value == T?, T.RawValue: ColumnValue {
    Self(read: { try $0.value($1) }, write: { try $0.value($1, $2) })
  }

  /// A type whose raw value may be nil is stored as JSON, because NULL says that there is no value.
  public static func of<T: RawRepresentable & Codable, Raw: ColumnValue>(_: T?.Type) -> Self
  where Value == T?, T.RawValue == Raw? {
    Self(read: { try $0.codable($1) }, write: { try $0.codable($1, $2) })
  }

  /// A type alias of an optional type, as JSON.
  public static func of<T: Codable>(_: T??.Type) -> Self where Value == T?? {
    Self(read: { .some(try $0.codable($1) as T?) }, write: { try $0.codable($1, $2 ?? nil) })
  }

  /// A type alias of an optional type that fills one column.
  public static func of<T: ColumnValue>(_: T??.Type) -> Self where Value == T?? {
    Self(read: { .some(try $0.value($1) as T?) }, write: { try $0.value($1, $2 ?? nil) })
  }

  /// A type alias of an optional type, as the raw value.
  public static func of<T: RawRepresentable & Codable>(_: T??.Type) -> Self
  where Value == T??, T.RawValue: ColumnValue {
    Self(read: { .some(try $0.raw($1) as T?) }, write: { try $0.raw($1, $2 ?? nil) })
  }
}

// MARK: Structs with a column for each property

/// A struct that can have a column for each of its properties: `@Attribute(.flattened)`.
///
/// The schema compiler writes the conformance.
public protocol FlattenedValue: ColumnValue {
  /// The properties in the order of their columns.
  static var _$members: [FlattenedMember] { get }

  /// Reads each property from its column.
  init(_$row row: inout StatementRow, _ columns: [Int32]) throws

  /// Binds each property to its parameter.
  func _$bind(to row: inout StatementBinder, _ parameters: [Int32]) throws
}

/// One property of a flattened struct.
public struct FlattenedMember: @unchecked Sendable {  // key paths without captured values
  package let name: String
  package let type: any ColumnValue.Type
  /// From the struct to the property.
  package let keyPath: AnyKeyPath
  /// From an optional of the struct.
  let optionalKeyPath: AnyKeyPath
  /// What rows get that were written before the struct had the property.
  package let preset: (any ColumnValue)?

  /// Made by generated code.
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

  /// Of a struct this program does not have: nothing leads to the property.
  package init(described name: String, type: any ColumnValue.Type) {
    self.name = name
    self.type = type
    keyPath = \FlattenedMember.name
    optionalKeyPath = \FlattenedMember.name
    preset = nil
  }
}
