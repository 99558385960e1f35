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
