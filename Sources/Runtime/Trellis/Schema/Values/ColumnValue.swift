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
