import CSQLite
public import Foundation

/// A SQLite statement's current row, read by slot. A reader or a different database's columns can replace the
/// statement.
///
/// Valid only during the call that passes it. Values are decoded on demand.
public struct StatementRow {
  /// Nil if a reader or a different database provides the values.
  package let statement: OpaquePointer?
  /// The shape of the row's own entity, which may be a subentity of the fetched entity.
  package private(set) var shape: RowShape
  /// The column for slot 0 if the remaining columns follow in order; otherwise -1.
  @usableFromInline var firstColumn: Int32
  var aside: RowOverride?

  package init(statement: OpaquePointer?, shape: RowShape) {
    self.statement = statement
    self.shape = shape
    self.firstColumn = statement == nil ? -1 : shape.firstColumn
  }

  package mutating func become(_ shape: RowShape) {
    self.shape = shape
    self.firstColumn = statement == nil ? -1 : shape.firstColumn
  }

  /// The row key.
  package var row: Int64 {
    statement == nil ? aside?.cells?.integer(0) ?? 0 : sqlite3_column_int64(statement, 0)
  }

  /// The row's identifier.
  public var identifier: PersistentIdentifier {
    if firstColumn < 0, let reader = aside?.reader { return reader.identifier }
    return PersistentIdentifier(token: shape.token, row: row)
  }

  @inline(__always) package func column(_ slot: Int) -> Int32 {
    firstColumn >= 0 ? firstColumn &+ Int32(truncatingIfNeeded: slot) : shape.columns[slot]
  }

  /// Returns the value reader. Throws the first recorded error, because later values are not used.
  @inline(__always) func reader() throws -> (any RowReader)? {
    guard firstColumn < 0, let aside, let reader = aside.reader else { return nil }
    if let failure = aside.failure { throw failure }
    return reader
  }

  /// Returns a value whose type has no placeholder.
  ///
  /// - Throws: An error with the row, property and value if the column has an unexpected form.
  @inlinable public mutating func value<T: ColumnValue>(_ slot: Int) throws -> T {
    if firstColumn < 0 { return try scattered(slot) }
    return try T.read(&self, firstColumn &+ Int32(truncatingIfNeeded: slot))
  }

  /// Not inlined, because the copies would account for a quarter of the row-reading code.
  @usableFromInline @inline(never)
  mutating func scattered<T: ColumnValue>(_ slot: Int) throws -> T {
    if var reader = try reader() { return try reader.codable(slot) }
    if let missing = aside?.missing, missing.contains(slot) { return T.placeholder }
    return try T.read(&self, shape.columns[slot])
  }

  /// Returns a value that is only `Codable`.
  ///
  /// - Throws: An error with the row, property and value if the column has an unexpected form.
  public mutating func codable<T: Codable>(_ slot: Int) throws -> T {
    if var reader = try reader() { return try reader.codable(slot) }
    return try JSONColumn.read(&self, column(slot))
  }

  /// Returns a to-one relationship's destination identifier.
  public mutating func reference(_ slot: Int) -> PersistentIdentifier? {
    if firstColumn < 0, let aside {
      if aside.reader != nil { return noting { try $0.reference(slot) } ?? nil }
      if let cells = aside.cells {
        return cells.integer(shape.columns[slot]).map { PersistentIdentifier(token: shape.destinations[slot], row: $0) }
      }
    }
    let value = sqlite3_column_value(statement, column(slot))
    if sqlite3_value_type(value) == SQLITE_NULL { return nil }
    return PersistentIdentifier(
      token: shape.destinations[slot], row: sqlite3_value_int64(value))
  }

  /// Returns a to-many relationship's member identifiers; nil in a statement's row, because lists are loaded on demand.
  public mutating func references(_ slot: Int) -> [PersistentIdentifier]? {
    guard aside != nil else { return nil }
    return noting { try $0.references(slot) } ?? nil
  }

  /// Returns a reader's result; nil if it throws or there is no reader.
  @inline(never) private mutating func noting<T>(_ body: (inout any RowReader) throws -> T) -> T? {
    do {
      guard var reader = try reader() else { return nil }
      return try body(&reader)
    } catch {
      record(error)
      return nil
    }
  }
}

/// Functions for conformances to ``ColumnValue``.
///
/// Each column is read only once, as a value: the read is the expensive part, while the value's type and content are
/// cheap to access. The connection has no mutex, so values need no protection.
extension StatementRow {
  /// Returns true if a column is NULL.
  public func isNull(_ column: Int32) -> Bool {
    if let cells { return cells.isNull(column) }
    return sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  /// A different database's columns; nil for a SQLite statement.
  @inline(__always) private var cells: (any RowCells)? { statement == nil ? aside?.cells : nil }

  /// Returns an integer column's value.
  @inline(__always) package func integer(_ column: Int32, as type: Any.Type) throws -> Int64 {
    if let cells {
      guard let value = cells.integer(column) else { throw unreadable(column, as: type) }
      return value
    }
    let value = sqlite3_column_value(statement, column)
    guard sqlite3_value_type(value) == SQLITE_INTEGER else { throw unreadable(column, as: type) }
    return sqlite3_value_int64(value)
  }

  /// Returns the value of a numeric column, in which NaN is stored as text.
  @inline(__always) func real(_ column: Int32, as type: Any.Type) throws -> Double {
    if let cells {
      guard let value = cells.real(column) else { throw unreadable(column, as: type) }
      return value
    }
    let value = sqlite3_column_value(statement, column)
    switch sqlite3_value_type(value) {
    case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_value_double(value)
    case SQLITE_TEXT where Statement.text(statement, column) == "NaN": return .nan
    default: throw unreadable(column, as: type)
    }
  }

  /// Returns a text column's value.
  @inline(__always) package func text(_ column: Int32, as type: Any.Type) throws -> String {
    String(decoding: try bytes(column, SQLITE_TEXT, as: type), as: UTF8.self)
  }

  /// Returns a text or blob column's bytes, valid until the statement advances.
  @inline(__always) package func bytes(
    _ column: Int32, _ kind: Int32, as type: Any.Type
  ) throws -> UnsafeRawBufferPointer {
    if let cells {
      guard let bytes = kind == SQLITE_TEXT ? cells.text(column) : cells.blob(column) else {
        throw unreadable(column, as: type)
      }
      return bytes
    }
    let value = sqlite3_column_value(statement, column)
    guard sqlite3_value_type(value) == kind else { throw unreadable(column, as: type) }
    return Statement.bytes(of: value)
  }
}

// MARK: Values of frequent types

/// Values that have a placeholder. If a value cannot be read, the row records the error and continues, so that
/// generated code needs no error paths that release half a snapshot.
extension StatementRow {
  /// Returns a value whose type has a placeholder.
  @inlinable public mutating func scalar<T: ColumnValue>(_ slot: Int) -> T {
    do {
      return try value(slot)
    } catch {
      record(error)
      return T.placeholder
    }
  }

  /// Equivalent to ``scalar(_:)`` for the types in this file, if the column does not contain the expected type. Not
  /// inlined, because such values are rare.
  @inline(never) private mutating func rare<T: ColumnValue>(_ slot: Int) -> T { scalar(slot) }

  /// Returns a statement's column; nil if the values have a different source or a value could not be read.
  @inline(__always) private func ordered(_ slot: Int) -> OpaquePointer? {
    if firstColumn >= 0 {
      return sqlite3_column_value(statement, firstColumn &+ Int32(truncatingIfNeeded: slot))
    }
    return aside == nil ? sqlite3_column_value(statement, shape.columns[slot]) : nil
  }

  /// Reads a value of a SQLite type. Columns with other types and readers use the general path.
  @inline(__always) private mutating func readPlain<T: ColumnValue>(
    _ slot: Int, _ type: Int32, _ make: (OpaquePointer) -> T
  ) -> T {
    guard let value = ordered(slot), sqlite3_value_type(value) == type else { return rare(slot) }
    return make(value)
  }

  /// Equivalent to ``readPlain(_:_:_:)``, with nil for NULL.
  @inline(__always) private mutating func readOptional<T: ColumnValue>(
    _ slot: Int, _ type: Int32, _ make: (OpaquePointer) -> T
  ) -> T? {
    guard let value = ordered(slot) else { return rare(slot) }
    let found = sqlite3_value_type(value)
    if found == type { return make(value) }
    return found == SQLITE_NULL ? nil : rare(slot)
  }

  /// Returns a `String` value.
  public mutating func text(_ slot: Int) -> String {
    readPlain(slot, SQLITE_TEXT) { String(decoding: Statement.bytes(of: $0), as: UTF8.self) }
  }

  /// Returns a `String?` value.
  public mutating func optionalText(_ slot: Int) -> String? {
    readOptional(slot, SQLITE_TEXT) { String(decoding: Statement.bytes(of: $0), as: UTF8.self) }
  }

  /// Returns an `Int` value.
  public mutating func integer(_ slot: Int) -> Int {
    readPlain(slot, SQLITE_INTEGER) { Int(truncatingIfNeeded: sqlite3_value_int64($0)) }
  }

  /// Returns an `Int?` value.
  public mutating func optionalInteger(_ slot: Int) -> Int? {
    readOptional(slot, SQLITE_INTEGER) { Int(truncatingIfNeeded: sqlite3_value_int64($0)) }
  }

  /// Returns a `Double` value.
  public mutating func real(_ slot: Int) -> Double {
    readPlain(slot, SQLITE_FLOAT) { sqlite3_value_double($0) }
  }

  /// Returns a `Double?` value.
  public mutating func optionalReal(_ slot: Int) -> Double? {
    readOptional(slot, SQLITE_FLOAT) { sqlite3_value_double($0) }
  }

  /// Returns a `Bool` value.
  public mutating func flag(_ slot: Int) -> Bool {
    guard let value = ordered(slot), sqlite3_value_type(value) == SQLITE_INTEGER else { return rare(slot) }
    let number = sqlite3_value_int64(value)
    return number & ~1 == 0 ? number == 1 : rare(slot)
  }

  /// Returns a `Date` value.
  public mutating func date(_ slot: Int) -> Date {
    readPlain(slot, SQLITE_FLOAT) { Date(timeIntervalSinceReferenceDate: sqlite3_value_double($0)) }
  }

  /// Returns a `Date?` value.
  public mutating func optionalDate(_ slot: Int) -> Date? {
    readOptional(slot, SQLITE_FLOAT) { Date(timeIntervalSinceReferenceDate: sqlite3_value_double($0)) }
  }

  /// Returns a `UUID` value.
  public mutating func uuid(_ slot: Int) -> UUID { rare(slot) }

  /// Returns a `Data` value.
  public mutating func data(_ slot: Int) -> Data { rare(slot) }

  /// Returns a `Data?` value.
  public mutating func optionalData(_ slot: Int) -> Data? { rare(slot) }
}

extension StatementRow {
  /// Returns the value that `read` returns, or `unknown` if the column contains a value that the type does not support.
  public mutating func tolerating<T>(
    _ unknown: @autoclosure () -> T, _ read: (inout StatementRow) throws -> T
  ) -> T {
    do {
      return try read(&self)
    } catch {
      // A reader provides whole values, and the next save would lose a value that the type does not support.
      if aside?.reader != nil || !(error is StoredValueError) { record(error) }
      return unknown()
    }
  }
}

// MARK: Forms

/// Value forms that exist only in columns.
extension StatementRow {
  /// Returns true if a column's property is required.
  func isRequired(_ column: Int32) -> Bool {
    !shape.isIncomplete && shape.property(inColumn: column).map { !$0.isOptional } ?? false
  }

  /// Creates the value from the raw value in the column.
  ///
  /// - Throws: An error with the row, property and value if the column has an unexpected form.
  public mutating func raw<T: RawRepresentable & Codable>(_ slot: Int) throws -> T?
  where T.RawValue: ColumnValue {
    if var reader = try reader() { return try reader.codable(slot) }
    let column = column(slot)
    if isNull(column), !isRequired(column) { return nil }
    guard let value = T(rawValue: try .read(&self, column)) else {
      throw unreadable(column, as: T.self)
    }
    SeenValues.record(value)
    return value
  }

  /// Returns a value whose type declaration the generator did not see.
  ///
  /// - Throws: An error with the row, property and value if the column has an unexpected form.
  public mutating func automatic<T>(_ slot: Int, _ form: AutomaticForm<T>) throws -> T { try form.read(&self, slot) }

  /// Passes the bytes in the column to the transformer.
  ///
  /// - Throws: An error with the row, property and value if the column has an unexpected form.
  public mutating func transformed<T>(
    _ slot: Int, by transformer: TransformerReference
  ) throws -> T {
    if var reader = try reader() { return try reader.transformed(slot, by: transformer) }
    let data: Data? = try value(slot)
    let transformer = try TransformerTable.transformer(transformer)
    guard data != nil || !isRequired(column(slot)) else {
      throw unreadable(column(slot), as: T.self)
    }
    do {
      let value: T = try TransformerTable.value(of: data, by: transformer)
      SeenValues.record(value)
      return value
    } catch is SwiftDataError {
      throw unreadable(column(slot), as: T.self)
    }
  }

  /// Returns the bytes in the column, or a reference to the named file, which is not read yet.
  public mutating func external(_ slot: Int) -> ExternalData {
    do {
      if var reader = try reader() { return try reader.external(slot) }
      return try storedExternal(column(slot))
    } catch {
      record(error)
      return ExternalData()
    }
  }

  private func storedExternal(_ column: Int32) throws -> ExternalData {
    if isNull(column) { return ExternalData() }
    guard statement != nil, sqlite3_column_type(statement, column) == SQLITE_TEXT else {
      return ExternalData(Data(try bytes(column, SQLITE_BLOB, as: Data.self)))
    }
    guard let file = shape.files?.file(named: try text(column, as: Data.self)) else {
      throw unreadable(column, as: Data.self)
    }
    return ExternalData(file)
  }

  /// Creates a struct from the slot's columns.
  ///
  /// - Throws: An error with the row, property and value if the column has an unexpected form.
  public mutating func flattened<T: FlattenedValue>(_ slot: Int) throws -> T {
    if var reader = try reader() { return try reader.codable(slot) }
    return try T(_$row: &self, shape.members[slot] ?? [])
  }

  /// Creates an optional struct from the slot's columns. The first column indicates whether there is a value.
  ///
  /// - Throws: An error with the row, property and value if the column has an unexpected form.
  public mutating func flattened<T: FlattenedValue>(_ slot: Int) throws -> T? {
    if var reader = try reader() { return try reader.codable(slot) }
    return isNull(column(slot)) ? nil : try flattened(slot) as T
  }
}
