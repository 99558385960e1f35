/// Where the values go that are written to a ``StatementBinder`` without statement: fields, boxes.
package protocol RowWriter: AnyObject {
  /// Writes the next value.
  func value<T: ColumnValue>(_ slot: Int, _ value: T) throws
  /// Writes a value of a type that is only `Codable`.
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
  /// The same of an optional struct.
  func flattened<T: FlattenedValue>(_ slot: Int, _ value: T?) throws
}

extension RowWriter {
  /// Writes the value in its `Codable` form.
  package func value<T: ColumnValue>(_ slot: Int, _ value: T) throws { try codable(slot, value) }

  /// Ignores the members, which separate tables keep.
  package func references(_ slot: Int, _ identifiers: [PersistentIdentifier]?) throws {}

  /// Writes the value in its `Codable` form.
  package func raw<T: RawRepresentable & Codable>(
    _ slot: Int, _ value: T?
  ) throws where T.RawValue: ColumnValue {
    try codable(slot, value)
  }

  /// Writes the bytes themselves; throws when their file cannot be read.
  package func external(_ slot: Int, _ value: ExternalData) throws {
    try self.value(slot, value.load())
  }

  /// Writes the struct as one value.
  package func flattened<T: FlattenedValue>(_ slot: Int, _ value: T) throws {
    try self.value(slot, value)
  }

  /// Writes the struct as one value.
  package func flattened<T: FlattenedValue>(_ slot: Int, _ value: T?) throws {
    try self.value(slot, value)
  }

  /// Writes what the transformer makes of the value.
  package func transformed<T>(
    _ slot: Int, _ value: T, by transformer: TransformerReference
  ) throws {
    let data = try TransformerTable.data(
      of: value, by: TransformerTable.transformer(transformer))
    try self.value(slot, data)
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
  init(_ writer: any RowWriter) {
    self.init(statement: nil, arena: nil)
    self.writer = writer
    isPartial = true
  }
}
