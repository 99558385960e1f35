import CSQLite

extension Statement {
  /// Binds the value of another statement's row as it is. Its bytes stay where they are until that
  /// statement moves on, and are not copied.
  @inline(__always) func bind(copyOf value: OpaquePointer?, at parameter: Int32) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: sqlite3_bind_int64(handle, parameter, sqlite3_value_int64(value))
    case SQLITE_FLOAT: sqlite3_bind_double(handle, parameter, sqlite3_value_double(value))
    case SQLITE_NULL: sqlite3_bind_null(handle, parameter)
    case SQLITE_TEXT:
      let text = sqlite3_value_text(value)
      text?.withMemoryRebound(to: CChar.self, capacity: 1) {
        _ = sqlite3_bind_text64(
          handle, parameter, $0, UInt64(sqlite3_value_bytes(value)), nil, UInt8(SQLITE_UTF8))
      }
    default: sqlite3_bind_value(handle, parameter, value)
    }
  }
}

extension RowShape {
  /// The same for a statement that has the columns in other places.
  ///
  /// - Parameter isIncomplete: true for rows that lack the values of fills.
  package func reading(_ positions: [String: Int32], isIncomplete: Bool = false) -> RowShape {
    RowShape(
      entity: entity, token: token, destinations: destinations,
      columns: entity.columns.map { positions[$0.name] ?? 0 },
      members: Dictionary(
        entity.columns.filter { !$0.members.isEmpty }.map { column in
          (column.slot, column.members.map { positions[$0.name] ?? 0 })
        }, uniquingKeysWith: { first, _ in first }),
      files: files, isIncomplete: isIncomplete)
  }
}
