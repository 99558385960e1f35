import Foundation

// Readers and writers that keep values as they are know one form of a value. The forms of columns are
// the business of statements, which have their own implementations.

extension RowReader {
  /// Fails where a value cannot be read: what keeps whole values has no place for an unknown one, and
  /// would lose it with the next save.
  package mutating func value<T: ColumnValue>(_ slot: Int, unknown: () -> T) throws -> T { try value(slot) }

  /// As ``value(_:unknown:)``.
  package mutating func codable<T: Codable & Sendable>(_ slot: Int, unknown: () -> T) throws -> T {
    try codable(slot)
  }

  /// Reads the value in its `Codable` form.
  package mutating func raw<T: RawRepresentable & Codable & Sendable>(_ slot: Int) throws -> T?
  where T.RawValue: ColumnValue {
    try codable(slot)
  }

  /// Reads the bytes themselves.
  package mutating func external(_ slot: Int) throws -> ExternalData {
    let data: Data? = try value(slot)
    return ExternalData(data)
  }

  /// Reads the struct as one value.
  package mutating func flattened<T: FlattenedValue>(_ slot: Int) throws -> T { try value(slot) }
  /// Reads the struct as one value.
  package mutating func flattened<T: FlattenedValue>(_ slot: Int) throws -> T? { try value(slot) }
}

extension RowWriter {
  /// Writes the value in its `Codable` form.
  package func raw<T: RawRepresentable & Codable & Sendable>(
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
}
