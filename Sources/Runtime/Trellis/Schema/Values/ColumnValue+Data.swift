import CSQLite
public import Foundation

extension Data: ColumnValue {
  public static var columnType: ColumnType { ColumnType(.blob) }
  public static var placeholder: Data { Data() }

  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Data {
    Data(try row.bytes(column, SQLITE_BLOB, as: Data.self))
  }
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try withUnsafeBytes { try row.bind(blob: $0, parameter) }
  }
}
