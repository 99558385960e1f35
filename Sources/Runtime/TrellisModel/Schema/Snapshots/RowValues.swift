import Foundation

extension SnapshotBuffer {
  /// Returns an attribute's value; nil if the value is nil.
  package func value(_ index: Int, column slot: Int) -> (any Sendable)? {
    try? RowValues(self, index, only: slot).plain(slot)
  }

  /// Returns a one-row buffer with a copy of the row in which an attribute is replaced.
  package func replacing<Value>(_ index: Int, column slot: Int, with value: Value) throws -> SnapshotBuffer? {
    let values = try RowValues(self, index)
    values.replace(slot, with: value)
    return try definition?.buffer(of: values)
  }

  /// Returns a one-row buffer with a copy of the row in which some columns are taken from another row.
  package func replacing(
    _ index: Int, _ columns: PropertySet, from other: SnapshotBuffer, _ otherIndex: Int
  ) throws -> SnapshotBuffer? {
    let values = try RowValues(self, index)
    values.take(columns, from: try RowValues(other, otherIndex))
    return try definition?.buffer(of: values)
  }
}

extension ModelDefinition {
  fileprivate func buffer(of values: RowValues) throws -> SnapshotBuffer {
    let buffer = codec.makeBuffer(capacity: 1)
    try codec.read(values, into: buffer)
    return buffer
  }
}

/// Casts a value to `Sendable`. All stored property types are sendable, which cannot be tested at run time.
package func uncheckedSendable<Value>(_ value: Value) -> any Sendable {
  unsafeBitCast(value as Any, to: (any Sendable).self)
}

/// A row's boxed values, for the few operations that access single values independently of the model type.
package final class RowValues: RowWriter, RowReader {
  package let identifier: PersistentIdentifier
  /// The only column to read; nil for all columns.
  private let only: Int?
  private var columns: [Int: any Sendable] = [:]
  private var references: [Int: PersistentIdentifier] = [:]
  private var lists: [Int: [PersistentIdentifier]] = [:]

  /// Reads a row's values.
  package init(_ buffer: SnapshotBuffer, _ index: Int, only: Int? = nil) throws {
    identifier = buffer.identifier(index)
    self.only = only
    try buffer.write(index, to: self)
  }

  private func keep(_ slot: Int, _ value: any Sendable) {
    if only == nil || only == slot { columns[slot] = value }
  }

  /// Returns an attribute's value, with external data loaded from the file; nil if the value is nil.
  fileprivate func plain(_ slot: Int) -> (any Sendable)? {
    let value = columns[slot]
    if let external = value as? ExternalData { return external.optionalData }
    return (value as? any OptionalValue)?.isNil == true ? nil : value
  }

  package func codable<T: Codable>(_ slot: Int, _ value: T) throws { keep(slot, uncheckedSendable(value)) }

  package func transformed<T>(_ slot: Int, _ value: T, by transformer: TransformerReference) throws {
    keep(slot, uncheckedSendable(value))
  }

  package func external(_ slot: Int, _ value: ExternalData) throws { keep(slot, value) }
  package func reference(_ slot: Int, _ identifier: PersistentIdentifier?) throws { references[slot] = identifier }
  package func references(_ slot: Int, _ identifiers: [PersistentIdentifier]?) throws { lists[slot] = identifiers }

  package func codable<T: Codable>(_ slot: Int) throws -> T { try column(slot) }
  package func transformed<T>(_ slot: Int, by transformer: TransformerReference) throws -> T { try column(slot) }

  package func external(_ slot: Int) throws -> ExternalData {
    try columns[slot] as? ExternalData ?? ExternalData(column(slot) as Data?)
  }

  package func reference(_ slot: Int) throws -> PersistentIdentifier? { references[slot] }
  package func references(_ slot: Int) throws -> [PersistentIdentifier]? { lists[slot] }

  func replace<Value>(_ slot: Int, with value: Value) { columns[slot] = uncheckedSendable(value) }

  func take(_ slots: PropertySet, from other: RowValues) {
    for slot in slots.slots {
      columns[slot] = other.columns[slot]
      references[slot] = other.references[slot]
    }
  }

  private func column<T>(_ slot: Int) throws -> T {
    guard let value = columns[slot] as? T else { throw SwiftDataError.unsupportedKeyPath }
    return value
  }
}
