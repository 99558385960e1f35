public import Foundation

/// Values of types that are known here: one call for each in generated code.
extension StatementBinder {
  @inline(__always) private mutating func known<T: ColumnValue>(
    _ slot: Int, _ value: T, _ bind: (inout StatementBinder, Int32) throws -> Void
  ) throws {
    if isPartial {
      if isLeftOut(slot) { return }
      if slot >= 64 || writer != nil { return try partly(slot, value) }
    }
    try bind(&self, Int32(truncatingIfNeeded: slot) &+ Self.firstParameter)
  }

  /// Writes a `String`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func text(_ slot: Int, _ value: String) throws {
    try known(slot, value) { try $0.bind(value, $1) }
  }

  /// Writes a `String?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func optionalText(_ slot: Int, _ value: String?) throws {
    try known(slot, value) { if let value { try $0.bind(value, $1) } else { try $0.bindNull($1) } }
  }

  /// Writes an `Int`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func integer(_ slot: Int, _ value: Int) throws {
    try known(slot, value) { try $0.bind(Int64(value), $1) }
  }

  /// Writes an `Int?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func optionalInteger(_ slot: Int, _ value: Int?) throws {
    try known(slot, value) {
      if let value { try $0.bind(Int64(value), $1) } else { try $0.bindNull($1) }
    }
  }

  /// Writes a `Double`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func real(_ slot: Int, _ value: Double) throws {
    try known(slot, value) { try $0.bind(value, $1) }
  }

  /// Writes a `Double?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func optionalReal(_ slot: Int, _ value: Double?) throws {
    try known(slot, value) { if let value { try $0.bind(value, $1) } else { try $0.bindNull($1) } }
  }

  /// Writes a `Bool`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func flag(_ slot: Int, _ value: Bool) throws {
    try known(slot, value) { try $0.bind(value ? 1 as Int64 : 0, $1) }
  }

  /// Writes a `Date`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func date(_ slot: Int, _ value: Date) throws {
    try known(slot, value) { try $0.bind(value.timeIntervalSinceReferenceDate, $1) }
  }

  /// Writes a `Date?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func optionalDate(_ slot: Int, _ value: Date?) throws {
    try known(slot, value) {
      if let value {
        try $0.bind(value.timeIntervalSinceReferenceDate, $1)
      } else {
        try $0.bindNull($1)
      }
    }
  }

  /// Writes a `UUID`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func uuid(_ slot: Int, _ value: UUID) throws {
    try known(slot, value) { try value.bind(to: &$0, $1) }
  }

  /// Writes a `Data`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func data(_ slot: Int, _ value: Data) throws {
    try known(slot, value) { try value.bind(to: &$0, $1) }
  }

  /// Writes a `Data?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func optionalData(_ slot: Int, _ value: Data?) throws {
    try known(slot, value) { try value.bind(to: &$0, $1) }
  }
}
