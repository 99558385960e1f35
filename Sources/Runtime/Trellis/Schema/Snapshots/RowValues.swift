import Foundation

extension SnapshotBuffer {
  /// The value of an attribute; nil for nil.
  package func value(_ index: Int, column slot: Int) -> (any Sendable)? {
    let values = RowValues(identifier: identifier(index), only: slot)
    try? write(index, to: values)
    return values.plain(slot)
  }

  /// A buffer of one with a copy of the row in which one attribute has another value.
  package func replacing<Value>(
    _ index: Int, property: ModelProperty, with value: Value
  ) throws -> SnapshotBuffer? {
    guard let definition else { return nil }
    let values = RowValues(identifier: identifier(index))
    try write(index, to: values)
    values.replace(property, with: value)
    return try definition.buffer(of: values)
  }

  /// A buffer of one with a copy of the row in which some columns are those of another row.
  package func replacing(
    _ index: Int, _ columns: PropertySet, from other: SnapshotBuffer, _ otherIndex: Int
  ) throws -> SnapshotBuffer? {
    guard let definition else { return nil }
    let values = RowValues(identifier: identifier(index))
    try write(index, to: values)
    let others = RowValues(identifier: other.identifier(otherIndex))
    try other.write(otherIndex, to: others)
    values.take(columns, from: others)
    return try definition.buffer(of: values)
  }
}

extension ModelDefinition {
  fileprivate func buffer(of values: RowValues) throws -> SnapshotBuffer {
    let buffer = codec.makeBuffer(capacity: 1)
    try codec.read(values, into: buffer)
    return buffer
  }
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

/// Values of a row, boxed: for the few operations that need them apart from their types.
final class RowValues: RowWriter, RowReader {
  let identifier: PersistentIdentifier
  /// The only column to keep; nil for all.
  private let only: Int?
  private var columns: [Int: any Sendable] = [:]
  private var references: [Int: PersistentIdentifier] = [:]
  private var lists: [Int: [PersistentIdentifier]] = [:]

  init(identifier: PersistentIdentifier, only: Int? = nil) {
    self.identifier = identifier
    self.only = only
  }

  private func keep(_ slot: Int, _ value: any Sendable) {
    if only == nil || only == slot { columns[slot] = value }
  }

  /// The value of an attribute, with the bytes of a file; nil for nil.
  fileprivate func plain(_ slot: Int) -> (any Sendable)? {
    let value = columns[slot]
    if let external = value as? ExternalData { return external.optionalData }
    return (value as? any OptionalValue)?.isNil == true ? nil : value
  }

  func codable<T: Codable>(_ slot: Int, _ value: T) throws { keep(slot, Unchecked(value: value).sendable) }

  func transformed<T>(
    _ slot: Int, _ value: T, by transformer: TransformerReference
  ) throws {
    keep(slot, Unchecked(value: value))
  }

  func reference(_ slot: Int, _ identifier: PersistentIdentifier?) throws {
    references[slot] = identifier
  }

  func references(_ slot: Int, _ identifiers: [PersistentIdentifier]?) throws {
    lists[slot] = identifiers
  }

  func value<T: ColumnValue>(_ slot: Int) throws -> T { try column(slot) }
  func codable<T: Codable>(_ slot: Int) throws -> T { try column(slot) }

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

  func external(_ slot: Int, _ value: ExternalData) throws { keep(slot, value) }

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

/// A row of which some columns were not read; placeholders stand for them.
struct PartialRow: RowReader {
  var row: StatementRow
  let missing: PropertySet

  var identifier: PersistentIdentifier { row.identifier }

  mutating func value<T: ColumnValue>(_ slot: Int) throws -> T {
    missing.contains(slot) ? T.placeholder : try row.value(slot)
  }

  mutating func codable<T: Codable>(_ slot: Int) throws -> T {
    if missing.contains(slot), let none = NilLiteral.value(T.self) { return none }
    return try row.codable(slot)
  }

  mutating func value<T: ColumnValue>(_ slot: Int, unknown: () -> T) throws -> T {
    if missing.contains(slot) { return T.placeholder }
    let value = row.value(slot, unknown: unknown())
    try row.check()
    return value
  }

  mutating func codable<T: Codable>(_ slot: Int, unknown: () -> T) throws -> T {
    if missing.contains(slot), let none = NilLiteral.value(T.self) { return none }
    let value = row.codable(slot, unknown: unknown())
    try row.check()
    return value
  }

  mutating func raw<T: RawRepresentable & Codable>(_ slot: Int) throws -> T?
  where T.RawValue: ColumnValue {
    missing.contains(slot) ? nil : try row.raw(slot)
  }

  mutating func raw<T: RawRepresentable & Codable>(_ slot: Int, unknown: () -> T?) throws -> T?
  where T.RawValue: ColumnValue {
    if missing.contains(slot) { return nil }
    let value = row.raw(slot, unknown: unknown())
    try row.check()
    return value
  }

  mutating func external(_ slot: Int) throws -> ExternalData {
    if missing.contains(slot) { return ExternalData() }
    let data = row.external(slot)
    try row.check()
    return data
  }

  mutating func flattened<T: FlattenedValue>(_ slot: Int) throws -> T { try row.flattened(slot) }

  mutating func flattened<T: FlattenedValue>(_ slot: Int) throws -> T? {
    missing.contains(slot) ? nil : try row.flattened(slot)
  }

  mutating func transformed<T>(_ slot: Int, by transformer: TransformerReference) throws -> T {
    try row.transformed(slot, by: transformer)
  }

  mutating func reference(_ slot: Int) throws -> PersistentIdentifier? { row.reference(slot) }

  mutating func references(_ slot: Int) throws -> [PersistentIdentifier]? { nil }
}
