import Foundation

/// The forms of a value that only columns have.
extension StatementBinder {
  /// Binds the raw value.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func raw<T: RawRepresentable & Codable>(
    _ slot: Int, _ value: T?
  ) throws where T.RawValue: ColumnValue {
    if let writer { return try UnencodableValue.locating(slot) { try writer.raw(slot, value) } }
    if let value { SeenValues.note(value) }
    try self.value(slot, value?.rawValue)
  }

  /// Binds a value of a type whose declaration the generator did not see, as JSON.
  ///
  /// For types with raw values, the compiler chooses an overload that binds the raw value.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func automatic<T: Codable>(_ slot: Int, _ value: T?) throws {
    try codable(slot, value)
  }

  /// Binds the raw value.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func automatic<T: RawRepresentable & Codable>(
    _ slot: Int, _ value: T?
  ) throws where T.RawValue: ColumnValue {
    try raw(slot, value)
  }

  /// Binds a value of a type alias of a type that fills one column.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func automatic<T: ColumnValue>(_ slot: Int, _ value: T?) throws { try self.value(slot, value) }

  /// Binds the raw value.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func automatic<T: ColumnValue & RawRepresentable>(
    _ slot: Int, _ value: T?
  ) throws where T.RawValue: ColumnValue {
    try self.value(slot, value)
  }

  /// Binds a value of a type alias of an optional type, as JSON.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func automatic<T: Codable>(_ slot: Int, _ value: T??) throws {
    try codable(slot, value ?? nil)
  }

  /// Binds a value of a type alias of an optional type that fills one column.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func automatic<T: ColumnValue>(_ slot: Int, _ value: T??) throws {
    try self.value(slot, value ?? nil)
  }

  /// Binds a value whose raw value may be nil as JSON, because NULL says that there is no value.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func automatic<T: RawRepresentable & Codable, Raw: ColumnValue>(
    _ slot: Int, _ value: T?
  ) throws where T.RawValue == Raw? {
    try codable(slot, value)
  }

  /// Binds the raw value of a type alias of an optional type.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func automatic<T: RawRepresentable & Codable>(
    _ slot: Int, _ value: T??
  ) throws where T.RawValue: ColumnValue {
    try raw(slot, value ?? nil)
  }

  /// Writes large data into a file and binds its name.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func external(_ slot: Int, _ value: ExternalData) throws {
    if let writer { return try writer.external(slot, value) }
    guard let parameter = parameter(slot) else { return }
    if let files = shape?.files, let name = try files.store(value) {
      self.files.append(name)
      return try bind(name, parameter)
    }
    try value.load().bind(to: &self, parameter)
  }

  /// Writes what the transformer makes of the value.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func transformed<T>(
    _ slot: Int, _ value: T, by transformer: TransformerReference
  ) throws {
    if let writer {
      return try UnencodableValue.locating(slot) { try writer.transformed(slot, value, by: transformer) }
    }
    guard parameter(slot) != nil else { return }
    let data = try UnencodableValue.locating(slot) {
      try TransformerTable.data(of: value, by: TransformerTable.transformer(transformer))
    }
    try self.value(slot, data)
    SeenValues.note(value)
  }

  /// Removes the files of a row that was not written after all.
  mutating func discardFiles() {
    for name in files { shape?.files?.remove(name) }
    files = []
  }

  /// Returns and forgets the files written so far.
  mutating func takeFiles() -> [String] {
    defer { files = [] }
    return files
  }

  /// Binds each property to its column.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func flattened<T: FlattenedValue>(_ slot: Int, _ value: T) throws {
    if let writer { return try UnencodableValue.locating(slot) { try writer.flattened(slot, value) } }
    guard parameter(slot) != nil, let shape else { return }
    try UnencodableValue.locating(slot) {
      try value._$bind(to: &self, shape.rowEntity.properties[slot].memberParameters)
    }
  }

  /// The same of an optional struct, whose first column says whether there is one.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func flattened<T: FlattenedValue>(_ slot: Int, _ value: T?) throws {
    if let writer { return try UnencodableValue.locating(slot) { try writer.flattened(slot, value) } }
    guard let parameter = parameter(slot), let shape else { return }
    if let value {
      try bind(Int64(1), parameter)
      return try flattened(slot, value)
    }
    try bindNull(parameter)
    for member in shape.rowEntity.properties[slot].memberParameters { try bindNull(member) }
  }
}
