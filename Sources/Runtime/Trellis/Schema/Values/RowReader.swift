/// Where the values of a ``StatementRow`` come from that no statement reads: fields, boxes, key paths.
package protocol RowReader {
  /// The identifier of the row.
  var identifier: PersistentIdentifier { get }
  /// Reads the next value.
  mutating func value<T: ColumnValue>(_ slot: Int) throws -> T
  /// A value of a type that is only `Codable`.
  mutating func codable<T: Codable & Sendable>(_ slot: Int) throws -> T
  /// The identifier a to-one relationship leads to.
  mutating func reference(_ slot: Int) throws -> PersistentIdentifier?
  /// The identifiers of a to-many relationship; nil when they are read on demand.
  mutating func references(_ slot: Int) throws -> [PersistentIdentifier]?
  /// A value of any type, kept in the form a transformer gives it.
  mutating func transformed<T>(_ slot: Int, by transformer: TransformerReference) throws -> T
  /// A value that may be one only a newer version of the program knows.
  mutating func value<T: ColumnValue>(_ slot: Int, unknown: () -> T) throws -> T
  /// The same of a type that is only `Codable`.
  mutating func codable<T: Codable & Sendable>(_ slot: Int, unknown: () -> T) throws -> T
  /// A value kept as its raw value, of a type that is only `Codable`.
  mutating func raw<T: RawRepresentable & Codable & Sendable>(_ slot: Int) throws -> T?
  where T.RawValue: ColumnValue
  /// Data that may be in a file of its own.
  mutating func external(_ slot: Int) throws -> ExternalData
  /// A struct that may have a column for each of its properties.
  mutating func flattened<T: FlattenedValue>(_ slot: Int) throws -> T
  /// The same of an optional struct.
  mutating func flattened<T: FlattenedValue>(_ slot: Int) throws -> T?
}

/// What few rows have: values from elsewhere, or one that cannot be read.
final class RowAside {
  var reader: (any RowReader)?
  /// What the first value that could not be read threw.
  var failure: (any Error)?

  init(reader: (any RowReader)? = nil) { self.reader = reader }
}

extension StatementRow {
  /// A row with the values of a reader.
  init(_ reader: any RowReader) {
    self.init(statement: nil, shape: .none)
    firstColumn = -1
    aside = RowAside(reader: reader)
  }

  /// Throws what reading the first value threw that could not be read, if there was one.
  ///
  /// The row forgets it: a statement's next one is another.
  ///
  /// - Throws: an error that names row, property and value.
  public mutating func check() throws {
    guard let failure = aside?.failure else { return }
    aside?.failure = nil
    throw failure
  }

  /// What reading the first value threw that could not be read, forgotten by the row.
  @usableFromInline mutating func first(_ error: any Error) -> any Error {
    defer { aside?.failure = nil }
    return aside?.failure ?? error
  }

  /// Keeps the first error of a row.
  @usableFromInline @inline(never) mutating func note(_ error: any Error) {
    if aside == nil { aside = RowAside() }
    if aside?.failure == nil { aside?.failure = error }
  }
}

extension RowShape {
  /// Of rows whose values no statement reads.
  static let none = RowShape(
    entity: EntityLayout(
      name: "", table: "", definition: UnknownModel._$definition, rootName: "", discriminators: [],
      columns: [], lists: []),
    token: .interned(store: nil, entity: ""), destinations: [], columns: [])
}
