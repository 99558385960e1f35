import CSQLite

/// The current row of a running SQLite statement, read by slot.
///
/// Valid inside the call that hands it out. Values are decoded when asked for.
public struct StatementRow: RowReader {
  @usableFromInline let statement: OpaquePointer
  /// Of the row's own entity, which may be below the one that was asked for.
  @usableFromInline var shape: RowShape
  @usableFromInline var firstColumn: Int32

  init(statement: OpaquePointer, shape: RowShape) {
    self.statement = statement
    self.shape = shape
    self.firstColumn = shape.firstColumn
  }

  mutating func become(_ shape: RowShape) {
    self.shape = shape
    self.firstColumn = shape.firstColumn
  }

  /// The key of the row.
  var row: Int64 { sqlite3_column_int64(statement, 0) }

  public var identifier: PersistentIdentifier {
    PersistentIdentifier(token: shape.token, row: sqlite3_column_int64(statement, 0))
  }

  /// The model class of the row.
  var definition: ModelDefinition { shape.entity.definition }

  @inlinable @inline(__always) func column(_ slot: Int) -> Int32 {
    firstColumn >= 0 ? firstColumn + Int32(truncatingIfNeeded: slot) : shape.columns[slot]
  }

  @inlinable public mutating func value<T: ColumnValue>(_ slot: Int) throws -> T {
    try T.read(&self, column(slot))
  }

  public mutating func codable<T: Codable & Sendable>(_ slot: Int) throws -> T {
    try JSONColumn.read(&self, column(slot))
  }

  /// The value of a column, or another one where the column holds what the type does not know.
  public mutating func value<T: ColumnValue>(
    _ slot: Int, unknown: @autoclosure () -> T
  ) throws -> T {
    do { return try value(slot) } catch is StoredValueError { return unknown() }
  }

  /// As ``value(_:unknown:)``.
  public mutating func codable<T: Codable & Sendable>(
    _ slot: Int, unknown: @autoclosure () -> T
  ) throws -> T {
    do { return try codable(slot) } catch is StoredValueError { return unknown() }
  }

  public mutating func reference(_ slot: Int) throws -> PersistentIdentifier? {
    let column = column(slot)
    if sqlite3_column_type(statement, column) == SQLITE_NULL { return nil }
    return PersistentIdentifier(
      token: shape.destinations[slot], row: sqlite3_column_int64(statement, column))
  }

  /// A statement's row has no lists: they are loaded when asked for.
  public mutating func references(_ slot: Int) throws -> [PersistentIdentifier]? { nil }
}

/// What the conformances to ``ColumnValue`` are made of; one call of SQLite's each.
extension StatementRow {
  /// Whether a column holds NULL.
  public func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  /// The number in a column, whatever it holds.
  @inline(__always) func rawInteger(_ column: Int32) -> Int64 {
    sqlite3_column_int64(statement, column)
  }

  /// The value of a column that must hold an integer.
  @inline(__always) func integer(_ column: Int32, as type: Any.Type) throws -> Int64 {
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else {
      throw mismatch(column, type)
    }
    return sqlite3_column_int64(statement, column)
  }

  /// The value of a column that must hold a number, `NaN` being kept as text.
  @inline(__always) func real(_ column: Int32, as type: Any.Type) throws -> Double {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_column_double(statement, column)
    case SQLITE_TEXT where Self.text(statement, column) == "NaN": return .nan
    default: throw mismatch(column, type)
    }
  }

  /// The value of a column that must hold text.
  @inline(__always) func text(_ column: Int32, as type: Any.Type) throws -> String {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT else {
      throw mismatch(column, type)
    }
    return Self.text(statement, column)
  }

  /// The bytes of a column that must hold text or a blob; valid until the statement moves.
  @inline(__always) func bytes(
    _ column: Int32, _ kind: Int32, as type: Any.Type
  ) throws -> UnsafeRawBufferPointer {
    guard sqlite3_column_type(statement, column) == kind else { throw mismatch(column, type) }
    return Self.bytes(statement, column)
  }

  @inline(__always) static func text(_ statement: OpaquePointer, _ column: Int32) -> String {
    String(decoding: bytes(statement, column), as: UTF8.self)
  }

  /// The address is asked for before the length: that is the order SQLite wants.
  @inline(__always) static func bytes(
    _ statement: OpaquePointer, _ column: Int32
  ) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(statement, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }
}
