import Foundation

/// The values that a custom snapshot encodes, by name. The values are not converted to text, because conversion is slow
/// and some numbers have no text form.
final class SnapshotFields {
  fileprivate(set) var values: [String: Any] = [:]

  /// - Throws: An error if the snapshot encodes other data than keyed values.
  init(of snapshot: some DataStoreSnapshot) throws {
    try snapshot.encode(to: FieldEncoder(fields: self))
  }

  /// - Throws: `DecodingError` if a value does not have the type of its property.
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
  /// Nil for a container that supports nothing.
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

/// A container that rejects all values, for encodings that snapshots do not use.
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
    throw SnapshotFields.Unsupported()
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
