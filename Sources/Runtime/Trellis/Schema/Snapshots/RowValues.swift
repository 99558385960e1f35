import Foundation

extension SnapshotBatch {
  /// The value of an attribute; nil for nil.
  func value(_ index: Int, column slot: Int) -> (any Sendable)? {
    let capture = SlotCapture(slot: slot)
    try? write(index, to: capture)
    return capture.value
  }

  /// A batch of one with a copy of the row in which one attribute has another value.
  func replacing<Value>(
    _ index: Int, property: ModelProperty, with value: Value
  ) throws -> SnapshotBatch? {
    guard let definition else { return nil }
    let values = RowValues(identifier: identifier(index))
    try write(index, to: values)
    values.replace(property, with: value)
    let batch = definition.codec.makeBatch(capacity: 1)
    try definition.codec.read(values, into: batch)
    return batch
  }
}

extension SnapshotBatch {
  /// A batch of one with a copy of the row in which some columns are those of another row.
  func replacing(
    _ index: Int, _ columns: PropertySet, from other: SnapshotBatch, _ otherIndex: Int
  ) throws -> SnapshotBatch? {
    guard let definition else { return nil }
    let values = RowValues(identifier: identifier(index))
    try write(index, to: values)
    let others = RowValues(identifier: other.identifier(otherIndex))
    try other.write(otherIndex, to: others)
    values.take(columns, from: others)
    let batch = definition.codec.makeBatch(capacity: 1)
    try definition.codec.read(values, into: batch)
    return batch
  }
}

/// Takes the value of one slot out of a row.
private final class SlotCapture: RowWriter {
  let slot: Int
  var value: (any Sendable)?

  init(slot: Int) { self.slot = slot }

  func value<T: ColumnValue>(_ slot: Int, _ value: T) throws { capture(slot, value) }

  func codable<T: Codable & Sendable>(_ slot: Int, _ value: T) throws {
    capture(slot, value)
  }

  func transformed<T>(
    _ slot: Int, _ value: T, by transformer: TransformerReference
  ) throws {
    guard slot == self.slot else { return }
    capture(slot, Unchecked(value: value))
  }

  /// Only the wanted file is read: another one may be missing.
  func external(_ slot: Int, _ value: ExternalData) throws {
    guard slot == self.slot else { return }
    capture(slot, value.optionalData)
  }

  private func capture<T: Sendable>(_ slot: Int, _ value: T) {
    guard slot == self.slot, (value as? any OptionalValue)?.isNil != true else { return }
    self.value = value
  }

  func reference(_ slot: Int, _ identifier: PersistentIdentifier?) throws {}
}

/// A transformable value on its way through a `Sendable` interface.
struct Unchecked<Value>: @unchecked Sendable {  // part of a snapshot, which is Sendable
  let value: Value

  /// The value itself, where its type is `Sendable`, as that of every stored property is.
  var sendable: any Sendable {
    // `Sendable` cannot be asked for at run time.
    unsafeBitCast(value as Any, to: (any Sendable).self)
  }
}

/// All values of a row, boxed: for the few operations that need them apart from their types.
final class RowValues: RowWriter, RowReader {
  let identifier: PersistentIdentifier
  private var columns: [Int: any Sendable] = [:]
  private var references: [Int: PersistentIdentifier] = [:]
  private var lists: [Int: [PersistentIdentifier]] = [:]

  init(identifier: PersistentIdentifier) { self.identifier = identifier }

  func value<T: ColumnValue>(_ slot: Int, _ value: T) throws { columns[slot] = value }

  func codable<T: Codable & Sendable>(_ slot: Int, _ value: T) throws {
    columns[slot] = value
  }

  func transformed<T>(
    _ slot: Int, _ value: T, by transformer: TransformerReference
  ) throws {
    columns[slot] = Unchecked(value: value)
  }

  func reference(_ slot: Int, _ identifier: PersistentIdentifier?) throws {
    references[slot] = identifier
  }

  func references(_ slot: Int, _ identifiers: [PersistentIdentifier]?) throws {
    lists[slot] = identifiers
  }

  func value<T: ColumnValue>(_ slot: Int) throws -> T { try column(slot) }
  func codable<T: Codable & Sendable>(_ slot: Int) throws -> T { try column(slot) }

  func transformed<T>(
    _ slot: Int, by transformer: TransformerReference
  ) throws -> T {
    if let boxed = columns[slot] as? Unchecked<T> { return boxed.value }
    // Where the field may be empty, its type is the optional of the property's.
    func open<W>(_: W.Type) -> T? { (columns[slot] as? Unchecked<W>).flatMap { $0.value as? T } }
    if let optional = T.self as? any OptionalValue.Type,
      let value = _openExistential(optional.wrappedType, do: open)
    {
      return value
    }
    throw SwiftDataError.unsupportedKeyPath
  }

  func external(_ slot: Int, _ value: ExternalData) throws { columns[slot] = value }

  func external(_ slot: Int) throws -> ExternalData {
    if let value = columns[slot] as? ExternalData { return value }
    let data: Data? = try column(slot)
    return ExternalData(data)
  }

  func reference(_ slot: Int) throws -> PersistentIdentifier? { references[slot] }
  func references(_ slot: Int) throws -> [PersistentIdentifier]? { lists[slot] }

  func replace<Value>(_ property: ModelProperty, with value: Value) {
    let box = Unchecked(value: value)
    if property.attribute?.isTransformable == true {
      columns[property.slot] = box
    } else {
      columns[property.slot] = box.sendable
    }
  }

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
