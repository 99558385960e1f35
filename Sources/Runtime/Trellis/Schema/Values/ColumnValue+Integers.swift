extension Bool: ColumnValue {
  public static var columnType: ColumnType { ColumnType(.integer) }
  public static var placeholder: Bool { false }

  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Bool {
    let number = try row.integer(column, as: Bool.self)
    guard number & ~1 == 0 else { throw row.unreadable(column, as: Bool.self) }
    return number == 1
  }

  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(self ? 1 as Int64 : 0, parameter)
  }
}

/// Integers that SQLite's 64 signed bits hold as they are.
protocol PlainInteger: ColumnValue, FixedWidthInteger {}

extension PlainInteger {
  public static var columnType: ColumnType { ColumnType(.integer) }
  public static var placeholder: Self { 0 }

  @inline(__always) static func readInteger(
    _ row: inout StatementRow, _ column: Int32
  ) throws -> Self {
    guard let value = Self(exactly: try row.integer(column, as: Self.self)) else {
      throw row.unreadable(column, as: Self.self)
    }
    return value
  }
}

extension Int: PlainInteger {
  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Int {
    try readInteger(&row, column)
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(Int64(self), parameter)
  }
}

extension Int8: PlainInteger {
  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Int8 {
    try readInteger(&row, column)
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(Int64(self), parameter)
  }
}

extension Int16: PlainInteger {
  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Int16 {
    try readInteger(&row, column)
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(Int64(self), parameter)
  }
}

extension Int32: PlainInteger {
  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Int32 {
    try readInteger(&row, column)
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(Int64(self), parameter)
  }
}

extension Int64: PlainInteger {
  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Int64 {
    try row.integer(column, as: Int64.self)
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(self, parameter)
  }
}

extension UInt8: PlainInteger {
  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> UInt8 {
    try readInteger(&row, column)
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(Int64(self), parameter)
  }
}

extension UInt16: PlainInteger {
  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> UInt16 {
    try readInteger(&row, column)
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(Int64(self), parameter)
  }
}

extension UInt32: PlainInteger {
  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> UInt32 {
    try readInteger(&row, column)
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(Int64(self), parameter)
  }
}

// With the sign bit flipped, the order of the stored numbers is that of the values.

extension UInt64: ColumnValue {
  public static var columnType: ColumnType { ColumnType(.integer) }
  public static var placeholder: UInt64 { 0 }

  /// The number an unsigned one is stored as.
  static func stored(_ value: UInt64) -> Int64 { Int64(bitPattern: value ^ (1 << 63)) }

  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> UInt64 {
    UInt64(bitPattern: try row.integer(column, as: UInt64.self)) ^ (1 << 63)
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(Self.stored(self), parameter)
  }
}

extension UInt: ColumnValue {
  public static var columnType: ColumnType { ColumnType(.integer) }
  public static var placeholder: UInt { 0 }

  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> UInt {
    guard let value = UInt(exactly: try UInt64.read(&row, column)) else {
      throw row.unreadable(column, as: UInt.self)
    }
    return value
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(UInt64.stored(UInt64(self)), parameter)
  }
}
