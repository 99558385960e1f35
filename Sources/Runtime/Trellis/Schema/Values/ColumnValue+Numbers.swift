public import Foundation

// ANY keeps -0.0, which a REAL column of SQLite's would store as the integer 0.

extension Double: ColumnValue {
  public static var columnType: ColumnType { ColumnType(.any, comparison: .real) }
  public static var placeholder: Double { 0 }

  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Double {
    try row.real(column, as: Double.self)
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(self, parameter)
  }
}

extension Float: ColumnValue {
  public static var columnType: ColumnType { ColumnType(.any, comparison: .real) }
  public static var placeholder: Float { 0 }

  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Float {
    let real = try row.real(column, as: Float.self)
    let value = Float(real)
    // More precise than a Float can be, or beyond its range: not written by a Float.
    guard Double(value) == real || real.isNaN else { throw row.unreadable(column, as: Float.self) }
    return value
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(Double(self), parameter)
  }
}

/// Seconds since the beginning of 2001, exactly as `Date` has them.
extension Date: ColumnValue {
  public static var columnType: ColumnType { ColumnType(.any, comparison: .real) }
  public static var placeholder: Date { Date(timeIntervalSinceReferenceDate: 0) }

  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Date {
    Date(timeIntervalSinceReferenceDate: try row.real(column, as: Date.self))
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(timeIntervalSinceReferenceDate, parameter)
  }
}

/// The shortest decimal notation: equal values have equal texts.
extension Decimal: ColumnValue {
  public static var columnType: ColumnType { ColumnType(.text, comparison: .decimal) }
  public static var placeholder: Decimal { 0 }

  /// The text a value is stored as.
  static func stored(_ value: Decimal) -> String { value.isNaN ? "NaN" : value.description }

  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Decimal {
    let text = try row.text(column, as: Decimal.self)
    if text == "NaN" { return .nan }
    // `Decimal(string:)` stops at what it does not understand.
    guard let value = Decimal(string: text, locale: posix), value.description == text else {
      throw row.unreadable(column, as: Decimal.self)
    }
    return value
  }

  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(Self.stored(self), parameter)
  }

  private static let posix = Locale(identifier: "en_US_POSIX")
}
