import Foundation

/// The values a snapshot of another type encodes, by name and as they are: no text in between, which
/// takes its time and has no form for some numbers.
final class SnapshotFields {
  fileprivate(set) var values: [String: Any] = [:]
  /// Whether values of other types become those of properties, as their JSON texts say.
  fileprivate var converts = false

  /// - Throws: when the snapshot encodes something else than fields with values.
  init(of snapshot: some DataStoreSnapshot) throws {
    try snapshot.encode(to: FieldEncoder(fields: self))
  }

  /// Values from elsewhere, which become those of a model's properties.
  init(converting values: [String: Any]) {
    self.values = values
    converts = true
  }

  /// A snapshot of a model, whatever the identifier says.
  ///
  /// - Throws: when a value cannot become that of its property.
  func snapshot(of definition: ModelDefinition) throws -> DefaultSnapshot {
    let container = FieldDecoder(fields: self).container(keyedBy: DataStoreSnapshotCodingKey.self)
    let reader = SnapshotFieldReader(
      container: container, definition: definition,
      identifier: try container.decode(PersistentIdentifier.self, forKey: .persistentIdentifier))
    let batch = definition.codec.makeBatch(capacity: 1)
    try definition.codec.read(reader, into: batch)
    return DefaultSnapshot(batch: batch, index: 0)
  }

  /// - Throws: when a value is not of the type of its property.
  func snapshot() throws -> DefaultSnapshot { try DefaultSnapshot(from: FieldDecoder(fields: self)) }

  fileprivate struct Unsupported: Error {}
}

private struct FieldEncoder: Encoder {
  let fields: SnapshotFields
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(FieldWriter(fields: fields))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusingContainer() }
  func singleValueContainer() -> any SingleValueEncodingContainer { RefusingContainer() }
}

private struct FieldWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  /// Nil where nothing is supported.
  let fields: SnapshotFields?
  var codingPath: [any CodingKey] { [] }

  mutating func encodeNil(forKey key: Key) throws {
    guard fields != nil else { throw SnapshotFields.Unsupported() }
  }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    guard let fields else { throw SnapshotFields.Unsupported() }
    if (value as? any OptionalValue)?.isNil != true { fields.values[key.stringValue] = value }
  }

  mutating func nestedContainer<Other: CodingKey>(
    keyedBy type: Other.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Other> {
    KeyedEncodingContainer(FieldWriter<Other>(fields: nil))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    RefusingContainer()
  }

  mutating func superEncoder() -> any Encoder { RefusingContainer() }
  mutating func superEncoder(forKey key: Key) -> any Encoder { RefusingContainer() }
}

/// What snapshots of fields do not use.
private struct RefusingContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer, Encoder {
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var count: Int { 0 }

  mutating func encodeNil() throws { throw SnapshotFields.Unsupported() }
  mutating func encode<T: Encodable>(_ value: T) throws { throw SnapshotFields.Unsupported() }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(FieldWriter(fields: nil))
  }

  mutating func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(FieldWriter(fields: nil))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  mutating func superEncoder() -> any Encoder { self }
}

private struct FieldDecoder: Decoder {
  let fields: SnapshotFields
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(FieldReader(fields: fields))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw SnapshotFields.Unsupported()
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw SnapshotFields.Unsupported()
  }
}

private struct FieldReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let fields: SnapshotFields
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { fields.values.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { fields.values[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let field = fields.values[key.stringValue]
    if let value = field as? T { return value }
    guard fields.converts, let value = field as? any Encodable else {
      throw SnapshotFields.Unsupported()
    }
    if let copy = try FlattenedCopy.value(value, as: type) { return copy }
    // As in tables: the same number, not the one with the shortest text.
    if let single = value as? Float, let double = Double(single) as? T { return double }
    if let old = ValueFamily(Swift.type(of: value)), let new = ValueFamily(T.self), old != new {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "a '\(Swift.type(of: value))' is not a '\(T.self)'")
    }
    let converted = try JSONColumn.value(T.self, from: Data(JSONColumn.text(of: value).utf8))
    // JSON does not tell kinds of numbers from each other: none may be rounded on the way.
    if let number = converted as? any BinaryFloatingPoint, !Self.isKept(value, as: number) {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "\(value) is not a '\(T.self)'")
    }
    return converted
  }

  /// Whether a number that was read back from text is the one that was written.
  private static func isKept(_ value: any Encodable, as number: some BinaryFloatingPoint) -> Bool {
    func isWhole<Whole: BinaryInteger>(_ whole: Whole) -> Bool { Whole(exactly: number) == whole }
    if let whole = value as? any BinaryInteger { return isWhole(whole) }
    if let double = value as? Double { return Double(number) == double || double.isNaN }
    if let decimal = value as? Decimal {
      return Decimal(string: "\(number)") == decimal || decimal.isNaN
    }
    return true
  }

  func nestedContainer<Other: CodingKey>(
    keyedBy type: Other.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Other> {
    throw SnapshotFields.Unsupported()
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw SnapshotFields.Unsupported()
  }

  func superDecoder() throws -> any Decoder { throw SnapshotFields.Unsupported() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw SnapshotFields.Unsupported() }
}
