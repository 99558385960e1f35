/// Supplies a ``StatementRow``'s values from fields, boxes or key paths instead of a statement.
///
/// A reader returns each value as a whole, even if a table would store it in a different form.
package protocol RowReader {
  /// The row's identifier.
  var identifier: PersistentIdentifier { get }
  /// Reads a value in `Codable` form.
  mutating func codable<T: Codable>(_ slot: Int) throws -> T
  /// Reads a to-one relationship's destination identifier.
  mutating func reference(_ slot: Int) throws -> PersistentIdentifier?
  /// Reads a to-many relationship's member identifiers; nil if they are loaded on demand.
  mutating func references(_ slot: Int) throws -> [PersistentIdentifier]?
  /// Reads any value in a transformer's stored form.
  mutating func transformed<T>(_ slot: Int, by transformer: TransformerReference) throws -> T
  /// Reads data that may be in a separate file.
  mutating func external(_ slot: Int) throws -> ExternalData
}

extension RowReader {
  /// Reads the bytes themselves.
  package mutating func external(_ slot: Int) throws -> ExternalData { ExternalData(try codable(slot) as Data?) }

  /// Reads the column as data and passes it to the transformer.
  package mutating func transformed<T>(
    _ slot: Int, by transformer: TransformerReference
  ) throws -> T {
    try TransformerTable.value(of: codable(slot), by: TransformerTable.transformer(transformer))
  }
}

/// The current row's columns in a database other than SQLite.
///
/// The functions return nil for NULL and for a column with a different type. Bytes are valid until the next row.
package protocol RowCells: AnyObject {
  func isNull(_ column: Int32) -> Bool
  /// The stored form of an integer, a Boolean or a key.
  func integer(_ column: Int32) -> Int64?
  func real(_ column: Int32) -> Double?
  /// The stored form of a string, a `Decimal`, a `UUID` or JSON, in UTF-8.
  func text(_ column: Int32) -> UnsafeRawBufferPointer?
  func blob(_ column: Int32) -> UnsafeRawBufferPointer?
}

/// State that few rows need: a reader or a different database's columns instead of a statement, or an error.
final class RowOverride {
  let reader: (any RowReader)?
  let cells: (any RowCells)?
  /// The unread columns' slots; nil if all columns were read.
  let missing: PropertySet?
  /// The first unreadable value's error. No call made during an access uses the row.
  @exclusivity(unchecked) var failure: (any Error)?

  package init(reader: (any RowReader)? = nil, cells: (any RowCells)? = nil, missing: PropertySet? = nil) {
    self.reader = reader
    self.cells = cells
    self.missing = missing
  }
}

extension StatementRow {
  /// Creates a row with a reader's values.
  package init(_ reader: any RowReader) {
    self.init(statement: nil, shape: .none)
    aside = RowOverride(reader: reader)
  }

  /// Creates a row from the current row in `cells`.
  package init(_ cells: any RowCells, _ shape: RowShape) {
    self.init(statement: nil, shape: shape)
    aside = RowOverride(cells: cells)
  }

  /// Returns the row without the unread columns, whose values are placeholders.
  package func omitting(_ missing: PropertySet) -> StatementRow {
    var row = self
    row.firstColumn = -1
    row.aside = RowOverride(cells: aside?.cells, missing: missing)
    return row
  }

  /// Throws the first unreadable value's error.
  ///
  /// The error is then cleared, because the row is reused for the statement's next row.
  ///
  /// - Throws: An error with the row, property and value.
  public mutating func check() throws {
    guard let failure = aside?.failure else { return }
    aside?.failure = nil
    throw failure
  }

  /// Returns and clears the first unreadable value's error; the given error if none is recorded.
  @usableFromInline mutating func first(_ error: any Error) -> any Error {
    defer { aside?.failure = nil }
    return aside?.failure ?? error
  }

  /// Records a row's first error.
  @usableFromInline @inline(never) mutating func record(_ error: any Error) {
    if aside == nil { aside = RowOverride() }
    if aside?.failure == nil { aside?.failure = error }
  }
}

/// Receives a ``StatementBinder``'s values in fields or boxes instead of a statement.
package protocol RowWriter: AnyObject {
  /// Writes a value in `Codable` form.
  func codable<T: Codable>(_ slot: Int, _ value: T) throws
  /// Writes a to-one relationship's destination identifier.
  func reference(_ slot: Int, _ identifier: PersistentIdentifier?) throws
  /// Writes a to-many relationship's member identifiers.
  func references(_ slot: Int, _ identifiers: [PersistentIdentifier]?) throws
  /// Writes any value in a transformer's stored form.
  func transformed<T>(
    _ slot: Int, _ value: T, by transformer: TransformerReference
  ) throws
  /// Writes the raw value of a type that is only `Codable`.
  func raw<T: RawRepresentable & Codable>(_ slot: Int, _ value: T?) throws
  where T.RawValue: ColumnValue
  /// Writes data that may be moved to a separate file.
  func external(_ slot: Int, _ value: ExternalData) throws
  /// Writes a struct that may have a column for each property.
  func flattened<T: FlattenedValue>(_ slot: Int, _ value: T) throws
}

// Defaults for writers that store each value as a whole, in `Codable` form. Only columns need the other forms.

extension RowWriter {
  /// Ignores the members, which are stored in separate tables.
  package func references(_ slot: Int, _ identifiers: [PersistentIdentifier]?) throws {}

  /// Writes the value in `Codable` form.
  package func raw<T: RawRepresentable & Codable>(
    _ slot: Int, _ value: T?
  ) throws where T.RawValue: ColumnValue {
    try codable(slot, value)
  }

  /// Writes the bytes themselves. Throws if the file cannot be read.
  package func external(_ slot: Int, _ value: ExternalData) throws { try codable(slot, value.load()) }

  /// Writes the struct as a single value.
  package func flattened<T: FlattenedValue>(_ slot: Int, _ value: T) throws { try codable(slot, value) }

  /// Writes the transformed value.
  package func transformed<T>(
    _ slot: Int, _ value: T, by transformer: TransformerReference
  ) throws {
    try codable(slot, TransformerTable.data(of: value, by: TransformerTable.transformer(transformer)))
  }
}

/// Receives a row's columns in stored form, by parameter number.
///
/// Bytes are valid during the call.
package protocol ColumnSink: AnyObject {
  func bindNull(_ parameter: Int32)
  func bind(_ integer: Int64, _ parameter: Int32)
  func bind(_ real: Double, _ parameter: Int32)
  /// - Throws: An error if the database cannot store the text.
  func bind(text bytes: UnsafeRawBufferPointer, _ parameter: Int32) throws
  func bind(blob bytes: UnsafeRawBufferPointer, _ parameter: Int32)
}

extension StatementBinder {
  /// Creates a row that passes values to a writer.
  package init(_ writer: any RowWriter) {
    self.init(statement: nil, arena: nil)
    self.writer = writer
    isPartial = true
  }
}
