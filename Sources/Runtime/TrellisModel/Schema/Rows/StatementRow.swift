import CSQLite
public import Foundation

/// The current row of a running SQLite statement, or the columns of another database or a reader in its place, read by
/// slot.
///
/// Valid inside the call that hands it out. Values are decoded on request.
public struct StatementRow {
  /// Nil where the row of another database or a reader has the values.
  package let statement: OpaquePointer?
  /// The shape of the row's own entity, which may be a subentity of the fetched one.
  package private(set) var shape: RowShape
  /// The column of slot 0, when the others follow it in order; -1 otherwise.
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

  /// The key of the row.
  package var row: Int64 {
    statement == nil ? aside?.cells?.integer(0) ?? 0 : sqlite3_column_int64(statement, 0)
  }

  /// The identifier of the row.
  public var identifier: PersistentIdentifier {
    if firstColumn < 0, let reader = aside?.reader { return reader.identifier }
    return PersistentIdentifier(token: shape.token, row: row)
  }

  @inline(__always) package func column(_ slot: Int) -> Int32 {
    firstColumn >= 0 ? firstColumn &+ Int32(truncatingIfNeeded: slot) : shape.columns[slot]
  }

  /// The reader of the values. Throws its first error, because later values are not used.
  @inline(__always) func reader() throws -> (any RowReader)? {
    guard firstColumn < 0, let aside, let reader = aside.reader else { return nil }
    if let failure = aside.failure { throw failure }
    return reader
  }

  /// The value of a type that has no value to put in its place when it cannot be read.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  @inlinable public mutating func value<T: ColumnValue>(_ slot: Int) throws -> T {
    if firstColumn < 0 { return try scattered(slot) }
    return try T.read(&self, firstColumn &+ Int32(truncatingIfNeeded: slot))
  }

  /// Called and not inlined: it would be a quarter of what a model's row takes to read.
  @usableFromInline @inline(never)
  mutating func scattered<T: ColumnValue>(_ slot: Int) throws -> T {
    if var reader = try reader() { return try reader.codable(slot) }
    if let missing = aside?.missing, missing.contains(slot) { return T.placeholder }
    return try T.read(&self, shape.columns[slot])
  }

  /// The value of a type only `Codable` is known of.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public mutating func codable<T: Codable>(_ slot: Int) throws -> T {
    if var reader = try reader() { return try reader.codable(slot) }
    return try JSONColumn.read(&self, column(slot))
  }

  /// The identifier a to-one relationship leads to.
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

  /// The identifiers of a to-many relationship; nil in a statement's row: lists are loaded on request.
  public mutating func references(_ slot: Int) -> [PersistentIdentifier]? {
    guard aside != nil else { return nil }
    return noting { try $0.references(slot) } ?? nil
  }

  /// What a reader says; nil when it throws, and where there is none.
  @inline(never) private mutating func noting<T>(_ body: (inout any RowReader) throws -> T) -> T? {
    do {
      guard var reader = try reader() else { return nil }
      return try body(&reader)
    } catch {
      note(error)
      return nil
    }
  }
}

/// What the conformances to ``ColumnValue`` are made of.
///
/// A column is asked for once, as a value: that is what costs something, and asking the value for its
/// type and content next to nothing. The connection has no mutex, so nothing is missed by holding none.
extension StatementRow {
  /// Whether a column holds NULL.
  public func isNull(_ column: Int32) -> Bool {
    if let cells { return cells.isNull(column) }
    return sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  /// The columns of another database; nil for a statement of SQLite.
  @inline(__always) private var cells: (any RowCells)? { statement == nil ? aside?.cells : nil }

  /// The value of a column that must hold an integer.
  @inline(__always) package func integer(_ column: Int32, as type: Any.Type) throws -> Int64 {
    if let cells {
      guard let value = cells.integer(column) else { throw unreadable(column, as: type) }
      return value
    }
    let value = sqlite3_column_value(statement, column)
    guard sqlite3_value_type(value) == SQLITE_INTEGER else { throw unreadable(column, as: type) }
    return sqlite3_value_int64(value)
  }

  /// The value of a column that must hold a number, `NaN` being kept as text.
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

  /// The value of a column that must hold text.
  @inline(__always) package func text(_ column: Int32, as type: Any.Type) throws -> String {
    String(decoding: try bytes(column, SQLITE_TEXT, as: type), as: UTF8.self)
  }

  /// The bytes of a column that must hold text or a blob; valid until the statement moves.
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
  @inline(never) private mutating func rare<T: ColumnValue>(_ slot: Int) -> T { scalar(slot) }

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

extension StatementRow {
  /// The value that a call reads, or another one if the column holds a value that its type does not know.
  public mutating func tolerating<T>(
    _ unknown: @autoclosure () -> T, _ read: (inout StatementRow) throws -> T
  ) -> T {
    do {
      return try read(&self)
    } catch {
      // A reader has whole values: the next save would lose one that its type does not know.
      if aside?.reader != nil || !(error is StoredValueError) { note(error) }
      return unknown()
    }
  }
}

// MARK: Forms

/// The forms of a value that only columns have.
extension StatementRow {
  /// Whether the property of a column must have a value.
  func isRequired(_ column: Int32) -> Bool {
    !shape.isIncomplete && shape.property(inColumn: column).map { !$0.isOptional } ?? false
  }

  /// Makes the value from the raw value in the column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public mutating func raw<T: RawRepresentable & Codable>(_ slot: Int) throws -> T?
  where T.RawValue: ColumnValue {
    if var reader = try reader() { return try reader.codable(slot) }
    let column = column(slot)
    if isNull(column), !isRequired(column) { return nil }
    guard let value = T(rawValue: try .read(&self, column)) else {
      throw unreadable(column, as: T.self)
    }
    SeenValues.note(value)
    return value
  }

  /// The value of a type whose declaration the generator did not see.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public mutating func automatic<T>(_ slot: Int, _ form: AutomaticForm<T>) throws -> T { try form.read(&self, slot) }

  /// Gives the bytes in the column to the transformer.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
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
      SeenValues.note(value)
      return value
    } catch is SwiftDataError {
      throw unreadable(column(slot), as: T.self)
    }
  }

  /// The bytes in the column, or the file it names, which is not read yet.
  public mutating func external(_ slot: Int) -> ExternalData {
    do {
      if var reader = try reader() { return try reader.external(slot) }
      return try storedExternal(column(slot))
    } catch {
      note(error)
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

  /// Makes a struct from its columns.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public mutating func flattened<T: FlattenedValue>(_ slot: Int) throws -> T {
    if var reader = try reader() { return try reader.codable(slot) }
    return try T(_$row: &self, shape.members[slot] ?? [])
  }

  /// Makes a struct from its columns, where the first one says that there is one.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public mutating func flattened<T: FlattenedValue>(_ slot: Int) throws -> T? {
    if var reader = try reader() { return try reader.codable(slot) }
    return isNull(column(slot)) ? nil : try flattened(slot) as T
  }
}
