public import Foundation

/// Functions for the value types of most properties. Generated code calls them instead of ``value(_:_:)``, because
/// they need no generic code in the module of the model.
extension StatementBinder {
  /// Writes a `String`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func text(_ slot: Int, _ value: String) throws { try self.value(slot, value) }

  /// Writes a `String?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func optionalText(_ slot: Int, _ value: String?) throws { try self.value(slot, value) }

  /// Writes an `Int`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func integer(_ slot: Int, _ value: Int) throws { try self.value(slot, value) }

  /// Writes an `Int?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func optionalInteger(_ slot: Int, _ value: Int?) throws { try self.value(slot, value) }

  /// Writes a `Double`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func real(_ slot: Int, _ value: Double) throws { try self.value(slot, value) }

  /// Writes a `Double?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func optionalReal(_ slot: Int, _ value: Double?) throws { try self.value(slot, value) }

  /// Writes a `Bool`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func flag(_ slot: Int, _ value: Bool) throws { try self.value(slot, value) }

  /// Writes a `Date`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func date(_ slot: Int, _ value: Date) throws { try self.value(slot, value) }

  /// Writes a `Date?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func optionalDate(_ slot: Int, _ value: Date?) throws { try self.value(slot, value) }

  /// Writes a `UUID`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func uuid(_ slot: Int, _ value: UUID) throws { try self.value(slot, value) }

  /// Writes a `Data`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func data(_ slot: Int, _ value: Data) throws { try self.value(slot, value) }

  /// Writes a `Data?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func optionalData(_ slot: Int, _ value: Data?) throws { try self.value(slot, value) }
}
