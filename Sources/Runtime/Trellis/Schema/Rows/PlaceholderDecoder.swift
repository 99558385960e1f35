/// What placeholders are made of.
struct PlaceholderMaterial {
  /// Of every whole number.
  var number: UInt8 = 0
  var real = 0.0
  var text = ""
  var flag = false
  /// How many elements there are where elements are requested one by one.
  var count = 0

  /// The value of a type that decoders decode without its own code: a Bool, a number or text.
  func primitive<T>(_ type: T.Type) -> T? {
    switch type {
    case is Bool.Type: flag as? T
    case is String.Type: text as? T
    case let type as any FixedWidthInteger.Type: type.init(number) as? T
    case let type as any BinaryFloatingPoint.Type: type.init(real) as? T
    default: nil
    }
  }

  /// What types that refuse zeros tend to insist on.
  static let others: [PlaceholderMaterial] =
    [
      PlaceholderMaterial(number: 1, real: 1, text: "1", flag: true, count: 1),
      PlaceholderMaterial(number: 2, real: 0.5, text: "none", flag: true, count: 2),
    ]
    + [
      "A", "AA", "AAA", "aaaaaaaa", "en_US", "#000000", "1.0.0", "1:1", "00:00:00", "127.0.0.1",
      "a@example.com", "https://example.com", "2001-01-01", "2001-01-01T00:00:00Z",
      "00000000-0000-0000-0000-000000000000", "+10000000000", "AAAA", "{}", "[]",
    ].map { PlaceholderMaterial(number: 1, real: 1, text: $0, flag: true, count: 1) }
}

/// Answers every question with the values of the material.
struct PlaceholderDecoder: Decoder, SingleValueDecodingContainer {
  let material: PlaceholderMaterial
  var codingPath: [any CodingKey] = []
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(PlaceholderKeyedContainer(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    PlaceholderUnkeyedContainer(decoder: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { true }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try material.primitive(type) ?? nested(type, codingPath)
  }

  /// A value inside another one; a type that contains itself ends here.
  fileprivate func nested<T: Decodable>(_ type: T.Type, _ path: [any CodingKey]) throws -> T {
    if let none = NilLiteral.value(type) { return none }
    if let text = material.text as? T { return text }
    guard path.count < 32,
      let value = Placeholder.attempt(type, material, at: path) ?? Placeholder.zero(of: type)
    else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: path, debugDescription: "no placeholder"))
    }
    return value
  }
}

private struct PlaceholderKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: PlaceholderDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  /// The first key, because an enum with payloads asks which of its cases is there. The keys of a dictionary contain
  /// text and so have no zero. An enum that contains itself ends at some depth.
  var allKeys: [Key] {
    guard codingPath.count < 16 else { return [] }
    return Placeholder.zero(of: Key.self).map { [$0] } ?? []
  }

  func contains(_ key: Key) -> Bool { false }
  func decodeNil(forKey key: Key) throws -> Bool { true }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder.material.primitive(type) ?? decoder.nested(type, codingPath + [key])
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try decoder.container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { decoder }
}

/// Has as many elements as the material says; types that need more fail.
private struct PlaceholderUnkeyedContainer: UnkeyedDecodingContainer {
  let decoder: PlaceholderDecoder
  private(set) var currentIndex = 0

  init(decoder: PlaceholderDecoder) { self.decoder = decoder }

  var codingPath: [any CodingKey] { decoder.codingPath }
  /// Elements inside elements are given up at some depth.
  var count: Int? { codingPath.count < 16 ? decoder.material.count : 0 }
  var isAtEnd: Bool { currentIndex >= count ?? 0 }

  mutating func decodeNil() throws -> Bool {
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    currentIndex += 1
    return try decoder.nested(type, codingPath + [ElementKey()])
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    currentIndex += 1
    return try decoder.container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    currentIndex += 1
    return try decoder.unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { decoder }
}

private struct ElementKey: CodingKey {
  var stringValue: String { "element" }
  var intValue: Int? { nil }
  init() {}
  init?(stringValue: String) { nil }
  init?(intValue: Int) { nil }
}
