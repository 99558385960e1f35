import CSQLite
public import Foundation

extension Data: ColumnValue {
  public static var columnType: ColumnType { ColumnType(.blob) }
  public static var placeholder: Data { Data() }

  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Data {
    Data(try row.bytes(column, SQLITE_BLOB, as: Data.self))
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try withUnsafeBytes { try row.bind(blob: $0, parameter) }
  }
}
