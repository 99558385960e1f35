/// Where the values of a ``StatementRow`` come from that no statement reads: fields, boxes, key paths.
///
/// A reader has each value as a whole, whatever its form in columns is.
package protocol RowReader {
  /// The identifier of the row.
  var identifier: PersistentIdentifier { get }
  /// A value in its `Codable` form.
  mutating func codable<T: Codable>(_ slot: Int) throws -> T
  /// The identifier a to-one relationship leads to.
  mutating func reference(_ slot: Int) throws -> PersistentIdentifier?
  /// The identifiers of a to-many relationship; nil when they are read on demand.
  mutating func references(_ slot: Int) throws -> [PersistentIdentifier]?
  /// A value of any type, kept in the form a transformer gives it.
  mutating func transformed<T>(_ slot: Int, by transformer: TransformerReference) throws -> T
  /// Data that may be in a separate file.
  mutating func external(_ slot: Int) throws -> ExternalData
}

extension RowReader {
  /// Reads the bytes themselves.
  package mutating func external(_ slot: Int) throws -> ExternalData { ExternalData(try codable(slot) as Data?) }

  /// Reads the column as data and gives it to the transformer.
  package mutating func transformed<T>(
    _ slot: Int, by transformer: TransformerReference
  ) throws -> T {
    try TransformerTable.value(of: codable(slot), by: TransformerTable.transformer(transformer))
  }
}

/// The columns of the current row of a database other than SQLite.
///
/// The functions return nil for NULL and for a column of another type. Bytes are valid until the next row.
package protocol RowCells: AnyObject {
  func isNull(_ column: Int32) -> Bool
  /// The stored form of a whole number, a Boolean or a key.
  func integer(_ column: Int32) -> Int64?
  func real(_ column: Int32) -> Double?
  /// The stored form of a text, a `Decimal`, a `UUID` or JSON, in UTF-8.
  func text(_ column: Int32) -> UnsafeRawBufferPointer?
  func blob(_ column: Int32) -> UnsafeRawBufferPointer?
}

/// The state that only few rows have: a reader or the columns of another database instead of a statement, or an error.
final class RowOverride {
  let reader: (any RowReader)?
  let cells: (any RowCells)?
  /// The slots of columns that were not read; nil if all were.
  let missing: PropertySet?
  /// The error of the first value that could not be read. Nothing that is called while it is accessed uses the row.
  @exclusivity(unchecked) var failure: (any Error)?

  package init(reader: (any RowReader)? = nil, cells: (any RowCells)? = nil, missing: PropertySet? = nil) {
    self.reader = reader
    self.cells = cells
    self.missing = missing
  }
}

extension StatementRow {
  /// A row with the values of a reader.
  package init(_ reader: any RowReader) {
    self.init(statement: nil, shape: .none)
    aside = RowOverride(reader: reader)
  }

  /// The row that `cells` is at.
  package init(_ cells: any RowCells, _ shape: RowShape) {
    self.init(statement: nil, shape: shape)
    aside = RowOverride(cells: cells)
  }

  /// The same row with NULL in columns that were not read: placeholders stand for their values.
  package func omitting(_ missing: PropertySet) -> StatementRow {
    var row = self
    row.firstColumn = -1
    row.aside = RowOverride(cells: aside?.cells, missing: missing)
    return row
  }

  /// Throws the error of the first value that could not be read.
  ///
  /// The row forgets the error, because the statement's next row is another one.
  ///
  /// - Throws: an error that names row, property and value.
  public mutating func check() throws {
    guard let failure = aside?.failure else { return }
    aside?.failure = nil
    throw failure
  }

  /// The error of the first value that could not be read. The row forgets it.
  @usableFromInline mutating func first(_ error: any Error) -> any Error {
    defer { aside?.failure = nil }
    return aside?.failure ?? error
  }

  /// Keeps the first error of a row.
  @usableFromInline @inline(never) mutating func note(_ error: any Error) {
    if aside == nil { aside = RowOverride() }
    if aside?.failure == nil { aside?.failure = error }
  }
}

/// Where the values go that are written to a ``StatementBinder`` without statement: fields, boxes.
package protocol RowWriter: AnyObject {
  /// Writes a value in its `Codable` form.
  func codable<T: Codable>(_ slot: Int, _ value: T) throws
  /// Writes the identifier a to-one relationship leads to.
  func reference(_ slot: Int, _ identifier: PersistentIdentifier?) throws
  /// Writes the identifiers of a to-many relationship.
  func references(_ slot: Int, _ identifiers: [PersistentIdentifier]?) throws
  /// Writes a value of any type in the form a transformer gives it.
  func transformed<T>(
    _ slot: Int, _ value: T, by transformer: TransformerReference
  ) throws
  /// Writes a value of a type that is only `Codable` as its raw value.
  func raw<T: RawRepresentable & Codable>(_ slot: Int, _ value: T?) throws
  where T.RawValue: ColumnValue
  /// Writes data that may get a separate file.
  func external(_ slot: Int, _ value: ExternalData) throws
  /// Writes a struct that may have a column for each of its properties.
  func flattened<T: FlattenedValue>(_ slot: Int, _ value: T) throws
}

// A writer that takes whole values knows one form of a value. The other forms are those of columns.

extension RowWriter {
  /// Ignores the members, which separate tables keep.
  package func references(_ slot: Int, _ identifiers: [PersistentIdentifier]?) throws {}

  /// Writes the value in its `Codable` form.
  package func raw<T: RawRepresentable & Codable>(
    _ slot: Int, _ value: T?
  ) throws where T.RawValue: ColumnValue {
    try codable(slot, value)
  }

  /// Writes the bytes themselves; throws when their file cannot be read.
  package func external(_ slot: Int, _ value: ExternalData) throws { try codable(slot, value.load()) }

  /// Writes the struct as one value.
  package func flattened<T: FlattenedValue>(_ slot: Int, _ value: T) throws { try codable(slot, value) }

  /// Writes what the transformer makes of the value.
  package func transformed<T>(
    _ slot: Int, _ value: T, by transformer: TransformerReference
  ) throws {
    try codable(slot, TransformerTable.data(of: value, by: TransformerTable.transformer(transformer)))
  }
}

/// Takes the columns of one row in their stored form, by the number of their parameter.
///
/// Bytes are valid during the call.
package protocol ColumnSink: AnyObject {
  func bindNull(_ parameter: Int32)
  func bind(_ integer: Int64, _ parameter: Int32)
  func bind(_ real: Double, _ parameter: Int32)
  /// - Throws: An error for a text that the database cannot store.
  func bind(text bytes: UnsafeRawBufferPointer, _ parameter: Int32) throws
  func bind(blob bytes: UnsafeRawBufferPointer, _ parameter: Int32)
}

extension StatementBinder {
  /// A row whose values a writer takes.
  package init(_ writer: any RowWriter) {
    self.init(statement: nil, arena: nil)
    self.writer = writer
    isPartial = true
  }
}
