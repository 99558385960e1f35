import Foundation

/// Makes values of types nothing is known of but that they are `Decodable`.
///
/// The last resort for a property of an object of which only the identifier is known: an opaque
/// type, not optional, on a model that was never loaded. Numbers are 0, texts and collections
/// empty, optionals nil, enums their first case.
public enum Placeholder {
  /// A value of type `T`.
  ///
  /// - Precondition: the type can be decoded from such values. When an initialiser of `T` insists
  ///   on more, declare the type in the schema, or make it optional where it is stored.
  public static func make<T: Decodable>() -> T {
    if let value = attempt(T.self) { return value }
    preconditionFailure(
      "'\(T.self)' has no placeholder: declare it in the schema or store it as an optional")
  }

  /// A value of a type that is not `Decodable`, for a property that goes through a transformer.
  ///
  /// - Precondition: the property was assigned, or its model loaded: of such a type nobody can make
  ///   a value.
  public static func make<T>() -> T {
    if let value = zero(of: T.self) { return value }
    preconditionFailure("a property of type '\(T.self)' was read before it had a value")
  }

  /// A value of type `T`; nil where even zeros will not do.
  static func attempt<T: Decodable>(_ type: T.Type, at path: [any CodingKey] = []) -> T? {
    if ValueTypeName.standard[ValueTypeName(type).name] != nil,
      let value = (type as? any ColumnValue.Type)?.placeholder as? T
    {
      return value
    }
    if let first = firstCase(of: type) { return first }
    if let value = try? T(from: PlaceholderDecoder(codingPath: path)) { return value }
    return zero(of: type)
  }

  private static func firstCase<T>(of type: T.Type) -> T? {
    guard let type = type as? any CaseIterable.Type else { return nil }
    func open<C: CaseIterable>(_: C.Type) -> T? { C.allCases.first as? T }
    return open(type)
  }

  /// The value whose bytes are zero, for types that are nothing but bytes: the first case of an
  /// enum without payloads.
  fileprivate static func zero<T>(of type: T.Type) -> T? {
    guard _isPOD(type) else { return nil }
    return withUnsafeTemporaryAllocation(
      byteCount: max(1, MemoryLayout<T>.size), alignment: MemoryLayout<T>.alignment
    ) { bytes in
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      return bytes.load(as: T.self)
    }
  }
}

/// Answers every question with zero.
private struct PlaceholderDecoder: Decoder, SingleValueDecodingContainer {
  var codingPath: [any CodingKey] = []
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(PlaceholderKeyedContainer(codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    PlaceholderUnkeyedContainer(codingPath: codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { true }
  func decode(_ type: Bool.Type) throws -> Bool { false }
  func decode(_ type: String.Type) throws -> String { "" }
  func decode(_ type: Double.Type) throws -> Double { 0 }
  func decode(_ type: Float.Type) throws -> Float { 0 }
  func decode(_ type: Int.Type) throws -> Int { 0 }
  func decode(_ type: Int8.Type) throws -> Int8 { 0 }
  func decode(_ type: Int16.Type) throws -> Int16 { 0 }
  func decode(_ type: Int32.Type) throws -> Int32 { 0 }
  func decode(_ type: Int64.Type) throws -> Int64 { 0 }
  func decode(_ type: UInt.Type) throws -> UInt { 0 }
  func decode(_ type: UInt8.Type) throws -> UInt8 { 0 }
  func decode(_ type: UInt16.Type) throws -> UInt16 { 0 }
  func decode(_ type: UInt32.Type) throws -> UInt32 { 0 }
  func decode(_ type: UInt64.Type) throws -> UInt64 { 0 }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try nested(type, codingPath) }

  /// A value inside another one; a type that contains itself ends here.
  fileprivate func nested<T: Decodable>(_ type: T.Type, _ path: [any CodingKey]) throws -> T {
    if let none = NilLiteral.value(type) { return none }
    guard path.count < 32, let value = Placeholder.attempt(type, at: path) else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: path, debugDescription: "no placeholder"))
    }
    return value
  }
}

private struct PlaceholderKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  var codingPath: [any CodingKey]

  /// The first key: an enum with payloads asks which of its cases is there. The keys of a
  /// dictionary hold text and so have no zero; an enum that holds itself is given up at some depth.
  var allKeys: [Key] {
    guard codingPath.count < 16 else { return [] }
    return Placeholder.zero(of: Key.self).map { [$0] } ?? []
  }

  private var zero: PlaceholderDecoder { PlaceholderDecoder(codingPath: codingPath) }

  func contains(_ key: Key) -> Bool { false }
  func decodeNil(forKey key: Key) throws -> Bool { true }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { false }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { "" }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { 0 }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { 0 }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { 0 }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { 0 }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { 0 }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { 0 }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { 0 }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { 0 }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { 0 }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { 0 }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { 0 }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { 0 }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try zero.nested(type, codingPath + [key])
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try zero.container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try zero.unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { zero }
  func superDecoder(forKey key: Key) throws -> any Decoder { zero }
}

/// Has no elements; those who insist on one are told so.
private struct PlaceholderUnkeyedContainer: UnkeyedDecodingContainer {
  var codingPath: [any CodingKey]
  var count: Int? { 0 }
  var isAtEnd: Bool { true }
  var currentIndex: Int { 0 }

  private var zero: PlaceholderDecoder { PlaceholderDecoder(codingPath: codingPath) }

  mutating func decodeNil() throws -> Bool { true }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try zero.nested(type, codingPath + [DataStoreSnapshotCodingKey.modeledProperty("element")])
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> { try zero.container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { self }
  mutating func superDecoder() throws -> any Decoder { zero }
}
