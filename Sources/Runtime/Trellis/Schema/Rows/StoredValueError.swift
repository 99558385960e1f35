import CSQLite

/// A value in a store that its property cannot hold.
///
/// Stores written by this library have none; a file that was edited by other means may.
public struct StoredValueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The entity of the row.
  public let entity: String
  /// The property that cannot be read.
  public let property: String
  /// The row that has the value.
  public let identifier: PersistentIdentifier
  /// The stored value as SQL writes it, shortened when it is long.
  public let value: String
  /// The type the value should be of.
  public let type: String

  public var description: String {
    "the value \(value) of '\(entity).\(property)' in \(identifier) is not a '\(type)'"
  }
}

extension StatementRow {
  /// The error of a column whose value is not of the wanted type.
  @inline(never) func mismatch(_ column: Int32, _ type: Any.Type) -> StoredValueError {
    StoredValueError(
      entity: shape.rowEntity.name,
      property: shape.property(inColumn: column)?.name ?? "column \(column)",
      identifier: identifier, value: describe(column),
      type: "\(wrappedType(of: type))")
  }

  /// The same for the conformances that are compiled into other modules.
  @inline(never) public func unreadable(_ column: Int32, as type: Any.Type) -> any Error {
    mismatch(column, type)
  }

  private func describe(_ column: Int32) -> String {
    if let cells = aside?.cells { return cells.describe(column) }
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return "\(sqlite3_column_int64(statement, column))"
    case SQLITE_FLOAT: return "\(sqlite3_column_double(statement, column))"
    case SQLITE_TEXT:
      let text = Statement.text(statement, column)
      return text.count > 60 ? "'\(text.prefix(60))…'" : "'\(text)'"
    case SQLITE_BLOB: return "<\(sqlite3_column_bytes(statement, column)) bytes>"
    default: return "NULL"
    }
  }
}
