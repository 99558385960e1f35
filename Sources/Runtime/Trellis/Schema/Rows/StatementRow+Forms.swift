import CSQLite
import Foundation

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

  /// Makes the value from the raw value in the column, or returns another one if the type does not know it.
  public mutating func raw<T: RawRepresentable & Codable>(
    _ slot: Int, unknown: @autoclosure () -> T?
  ) -> T? where T.RawValue: ColumnValue {
    tolerating(unknown) { try $0.raw(slot) }
  }

  /// The value of a type whose declaration the generator did not see, from JSON.
  ///
  /// For types with raw values, the compiler chooses an overload that reads the raw value.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public mutating func automatic<T: Codable>(_ slot: Int, as type: T?.Type) throws -> T? {
    try codable(slot)
  }

  /// Makes the value from the raw value in the column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public mutating func automatic<T: RawRepresentable & Codable>(_ slot: Int, as type: T?.Type) throws -> T?
  where T.RawValue: ColumnValue {
    try raw(slot)
  }

  /// The value of a type alias of a type that fills one column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public mutating func automatic<T: ColumnValue>(_ slot: Int, as type: T?.Type) throws -> T? { try value(slot) }

  /// Makes the value from the raw value in the column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public mutating func automatic<T: ColumnValue & RawRepresentable>(_ slot: Int, as type: T?.Type) throws -> T?
  where T.RawValue: ColumnValue {
    try value(slot)
  }

  /// The value of a type alias of an optional type, from JSON.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public mutating func automatic<T: Codable>(_ slot: Int, as type: T??.Type) throws -> T?? {
    let value: T? = try codable(slot)
    return .some(value)
  }

  /// The value of a type alias of an optional type that fills one column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public mutating func automatic<T: ColumnValue>(_ slot: Int, as type: T??.Type) throws -> T?? {
    let value: T? = try value(slot)
    return .some(value)
  }

  /// The value of a type whose raw value may be nil, from JSON.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public mutating func automatic<T: RawRepresentable & Codable, Raw: ColumnValue>(
    _ slot: Int, as type: T?.Type
  ) throws -> T? where T.RawValue == Raw? {
    try codable(slot)
  }

  /// The value of a type alias of an optional type, from the raw value in the column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public mutating func automatic<T: RawRepresentable & Codable>(
    _ slot: Int, as type: T??.Type
  ) throws -> T?? where T.RawValue: ColumnValue {
    try raw(slot)
  }

  /// The same, or another value if the column holds what the type does not know.
  public mutating func automatic<T: Codable>(
    _ slot: Int, as type: T?.Type, unknown: @autoclosure () -> T?
  ) -> T? {
    codable(slot, unknown: unknown())
  }

  /// The same, or another value if the column holds what the type does not know.
  public mutating func automatic<T: RawRepresentable & Codable>(
    _ slot: Int, as type: T?.Type, unknown: @autoclosure () -> T?
  ) -> T? where T.RawValue: ColumnValue {
    raw(slot, unknown: unknown())
  }

  /// The same, or another value if the column holds what the type does not know.
  public mutating func automatic<T: RawRepresentable & Codable, Raw: ColumnValue>(
    _ slot: Int, as type: T?.Type, unknown: @autoclosure () -> T?
  ) -> T? where T.RawValue == Raw? {
    codable(slot, unknown: unknown())
  }

  /// The same, or another value if the column holds what the type does not know.
  public mutating func automatic<T: ColumnValue>(
    _ slot: Int, as type: T?.Type, unknown: @autoclosure () -> T?
  ) -> T? {
    value(slot, unknown: unknown())
  }

  /// The same, or another value if the column holds what the type does not know.
  public mutating func automatic<T: ColumnValue & RawRepresentable>(
    _ slot: Int, as type: T?.Type, unknown: @autoclosure () -> T?
  ) -> T? where T.RawValue: ColumnValue {
    value(slot, unknown: unknown())
  }

  /// The same, or another value if the column holds what the type does not know.
  public mutating func automatic<T: Codable>(
    _ slot: Int, as type: T??.Type, unknown: @autoclosure () -> T??
  ) -> T?? {
    .some(codable(slot, unknown: unknown() ?? nil))
  }

  /// The same, or another value if the column holds what the type does not know.
  public mutating func automatic<T: ColumnValue>(
    _ slot: Int, as type: T??.Type, unknown: @autoclosure () -> T??
  ) -> T?? {
    .some(value(slot, unknown: unknown() ?? nil))
  }

  /// The same, or another value if the column holds what the type does not know.
  public mutating func automatic<T: RawRepresentable & Codable>(
    _ slot: Int, as type: T??.Type, unknown: @autoclosure () -> T??
  ) -> T?? where T.RawValue: ColumnValue {
    .some(raw(slot, unknown: unknown() ?? nil))
  }

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
