import CSQLite
public import Foundation

/// Values that have something to put in their place: when one cannot be read, the row keeps the error
/// and continues, so that generated code has no ways out on which half a snapshot must be released.
extension StatementRow {
  /// The value of a type whose placeholder is a value.
  @inlinable public mutating func scalar<T: ColumnValue>(_ slot: Int) -> T {
    do {
      return try value(slot)
    } catch {
      note(error)
      return T.placeholder
    }
  }

  /// As ``scalar(_:)``, of a type that is known here: what is not a value as it should be in its column.
  /// Called and not inlined, for such values are few.
  @inline(never) private mutating func rare<T: ColumnValue>(_ slot: Int) -> T {
    do {
      if var reader = try reader() { return try reader.value(slot) }
      return try T.read(&self, column(slot))
    } catch {
      note(error)
      return T.placeholder
    }
  }

  /// A column of a statement; nil where values come from elsewhere or one could not be read.
  @inline(__always) private func ordered(_ slot: Int) -> OpaquePointer? {
    if firstColumn >= 0 {
      return sqlite3_column_value(statement, firstColumn &+ Int32(truncatingIfNeeded: slot))
    }
    return aside == nil ? sqlite3_column_value(statement, shape.columns[slot]) : nil
  }

  /// A value of one of SQLite's types; what a column of another type or a reader has is read as any other value.
  @inline(__always) private mutating func readPlain<T: ColumnValue>(
    _ slot: Int, _ type: Int32, _ make: (OpaquePointer) -> T
  ) -> T {
    guard let value = ordered(slot), sqlite3_value_type(value) == type else { return rare(slot) }
    return make(value)
  }

  /// As ``readPlain(_:_:_:)``, where NULL is nil.
  @inline(__always) private mutating func readOptional<T: ColumnValue>(
    _ slot: Int, _ type: Int32, _ make: (OpaquePointer) -> T
  ) -> T? {
    guard let value = ordered(slot) else { return rare(slot) }
    let found = sqlite3_value_type(value)
    if found == type { return make(value) }
    return found == SQLITE_NULL ? nil : rare(slot)
  }

  /// The value of a `String`.
  public mutating func text(_ slot: Int) -> String {
    readPlain(slot, SQLITE_TEXT) { String(decoding: Statement.bytes(of: $0), as: UTF8.self) }
  }

  /// The value of a `String?`.
  public mutating func optionalText(_ slot: Int) -> String? {
    readOptional(slot, SQLITE_TEXT) { String(decoding: Statement.bytes(of: $0), as: UTF8.self) }
  }

  /// The value of an `Int`.
  public mutating func integer(_ slot: Int) -> Int {
    readPlain(slot, SQLITE_INTEGER) { Int(truncatingIfNeeded: sqlite3_value_int64($0)) }
  }

  /// The value of an `Int?`.
  public mutating func optionalInteger(_ slot: Int) -> Int? {
    readOptional(slot, SQLITE_INTEGER) { Int(truncatingIfNeeded: sqlite3_value_int64($0)) }
  }

  /// The value of a `Double`.
  public mutating func real(_ slot: Int) -> Double {
    readPlain(slot, SQLITE_FLOAT) { sqlite3_value_double($0) }
  }

  /// The value of a `Double?`.
  public mutating func optionalReal(_ slot: Int) -> Double? {
    readOptional(slot, SQLITE_FLOAT) { sqlite3_value_double($0) }
  }

  /// The value of a `Bool`.
  public mutating func flag(_ slot: Int) -> Bool {
    guard let value = ordered(slot), sqlite3_value_type(value) == SQLITE_INTEGER else { return rare(slot) }
    let number = sqlite3_value_int64(value)
    return number & ~1 == 0 ? number == 1 : rare(slot)
  }

  /// The value of a `Date`.
  public mutating func date(_ slot: Int) -> Date {
    readPlain(slot, SQLITE_FLOAT) { Date(timeIntervalSinceReferenceDate: sqlite3_value_double($0)) }
  }

  /// The value of a `Date?`.
  public mutating func optionalDate(_ slot: Int) -> Date? {
    readOptional(slot, SQLITE_FLOAT) { Date(timeIntervalSinceReferenceDate: sqlite3_value_double($0)) }
  }

  /// The value of a `UUID`.
  public mutating func uuid(_ slot: Int) -> UUID { rare(slot) }

  /// The value of a `Data`.
  public mutating func data(_ slot: Int) -> Data { rare(slot) }

  /// The value of a `Data?`.
  public mutating func optionalData(_ slot: Int) -> Data? { rare(slot) }
}

/// Values of which more is known than their type.
extension StatementRow {
  /// The value of a column, or another one where the column holds what the type does not know.
  public mutating func value<T: ColumnValue>(
    _ slot: Int, unknown: @autoclosure () -> T
  ) -> T {
    tolerating(unknown) { row in
      if var reader = try row.reader() { return try reader.value(slot, unknown: unknown) }
      return try T.read(&row, row.column(slot))
    }
  }

  /// As ``value(_:unknown:)``.
  public mutating func codable<T: Codable>(
    _ slot: Int, unknown: @autoclosure () -> T
  ) -> T {
    tolerating(unknown) { row in
      if var reader = try row.reader() { return try reader.codable(slot, unknown: unknown) }
      return try JSONColumn.read(&row, row.column(slot))
    }
  }

  @inline(__always) mutating func tolerating<T>(
    _ unknown: () -> T, _ read: (inout StatementRow) throws -> T
  ) -> T {
    do {
      return try read(&self)
    } catch {
      // What a reader keeps is whole.
      if aside?.hasReader == true || !(error is StoredValueError) { note(error) }
      return unknown()
    }
  }
}
