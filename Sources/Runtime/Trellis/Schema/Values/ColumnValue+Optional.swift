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
