import Foundation
import Synchronization

/// Creates a substitute for a value that cannot be read because the row is missing or unreadable.
///
/// Generated code uses it for required properties that have no default value and a type unknown to the schema. Numbers
/// are 0, strings and collections empty, optionals nil, and enums the first case. If a type cannot be decoded from such
/// values, the placeholder is the type's most recent value that the process has read or saved.
public enum Placeholder {
  /// Returns a value of type `T`.
  ///
  /// - Parameter property: The property for messages: `Trip.weather`.
  /// - Precondition: The type decodes from placeholder values, or the process has read or saved a value of the type.
  ///   Schema files cannot declare other properties, and the compiler warns about them in Swift files (TYP023): give
  ///   the property a default value or make it optional.
  public static func make<T: Decodable>(for property: StaticString = "a property") -> T {
    attempt(T.self) ?? seen(for: property)
  }

  /// Returns a value of a type that is not `Decodable`, for a property with a transformer.
  ///
  /// - Parameter property: The property for messages: `Trip.weather`.
  /// - Precondition: The process has read or saved a value of the type.
  public static func make<T>(for property: StaticString = "a property") -> T {
    zero(of: T.self) ?? seen(for: property)
  }

  private static func seen<T>(for property: StaticString) -> T {
    guard let value = SeenValues.last(T.self) else {
      preconditionFailure("\(ModelIssue.missingValue(property: "\(property)", type: "\(T.self)", isReplaced: false))")
    }
    ModelIssue.missingValue(property: "\(property)", type: "\(T.self)", isReplaced: true).report()
    return value
  }

  /// Decodes a value of type `T` from placeholder values; nil if the type rejects them all.
  static func attempt<T: Decodable>(_ type: T.Type) -> T? {
    if let value = attempt(type, PlaceholderMaterial()) { return value }
    let zero = zero(of: type)
    if let zero, Mirror(reflecting: zero).displayStyle == .enum { return zero }
    for material in PlaceholderMaterial.others {
      if let value = attempt(type, material) { return value }
    }
    return zero
  }

  static func attempt<T: Decodable>(_ type: T.Type, _ material: PlaceholderMaterial, depth: Int = 0) -> T? {
    if StandardValues.contains(type), let value = (type as? any ColumnValue.Type)?.placeholder as? T { return value }
    if let first = firstCase(of: type) { return first }
    return try? T(from: PlaceholderDecoder(material: material, depth: depth))
  }

  private static func firstCase<T>(of type: T.Type) -> T? {
    guard let type = type as? any CaseIterable.Type else { return nil }
    func open<C: CaseIterable>(_: C.Type) -> T? { C.allCases.first as? T }
    return open(type)
  }

  /// Returns a trivial type's all-zero value: the first case if the type is an enum that has no payloads.
  static func zero<T>(of type: T.Type) -> T? {
    guard _isPOD(type) else { return nil }
    return withUnsafeTemporaryAllocation(
      byteCount: max(1, MemoryLayout<T>.size), alignment: MemoryLayout<T>.alignment
    ) { bytes in
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      return bytes.load(as: T.self)
    }
  }
}

/// The last values read from a store or bound to a statement, for types that have no placeholder.
enum SeenValues {
  /// A type's recorded state.
  private enum Entry: @unchecked Sendable {  // generated code requires that stored values are Sendable
    case needless
    case value(Any)
  }

  private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  /// Records a value if the type cannot be decoded from placeholder values. Optional values are unwrapped.
  static func record<T>(_ value: T) {
    guard !_isPOD(T.self) else { return }
    let optional = value as? any OptionalValue
    guard let value = optional.map(\.wrappedValue) ?? value else { return }
    let type = wrappedType(of: T.self)
    let known = entries.withLock { $0[ObjectIdentifier(type)] }
    if case .needless = known { return }
    let entry = known == nil && hasPlaceholder(type) ? Entry.needless : .value(value)
    entries.withLock { $0[ObjectIdentifier(type)] = entry }
  }

  private static func hasPlaceholder(_ type: any Any.Type) -> Bool {
    guard let type = type as? any Decodable.Type else { return false }
    func open<D: Decodable>(_ type: D.Type) -> Bool { Placeholder.attempt(type) != nil }
    return open(type)
  }

  static func last<T>(_ type: T.Type) -> T? {
    guard case .value(let value) = entries.withLock({ $0[ObjectIdentifier(type)] }) else { return nil }
    return value as? T
  }
}

// MARK: - Decoding made-up values

/// The values from which a placeholder is decoded.
struct PlaceholderMaterial {
  /// The value for every integer.
  var number: UInt8 = 0
  var real = 0.0
  var text = ""
  var flag = false
  /// The element count in collections that are decoded element by element.
  var count = 0

  /// Returns a value of a type that decoders support natively: a Bool, a number or a string.
  func primitive<T>(_ type: T.Type) -> T? {
    switch type {
    case is Bool.Type: flag as? T
    case is String.Type: text as? T
    case let type as any FixedWidthInteger.Type: type.init(number) as? T
    case let type as any BinaryFloatingPoint.Type: type.init(real) as? T
    default: nil
    }
  }

  /// Values that types often require if they reject zeros.
  static let others: [PlaceholderMaterial] =
    [
      PlaceholderMaterial(number: 1, real: 1, text: "1", flag: true, count: 1),
      PlaceholderMaterial(number: 2, real: 0.5, text: "none", flag: true, count: 2),
    ]
    + [
      "A", "AA", "AAA", "aaaaaaaa", "en_US", "#000000", "1.0.0", "1:1", "00:00:00", "127.0.0.1", "a@example.com",
      "https://example.com", "2001-01-01", "2001-01-01T00:00:00Z", "00000000-0000-0000-0000-000000000000",
      "+10000000000", "AAAA", "{}", "[]",
    ].map { PlaceholderMaterial(number: 1, real: 1, text: $0, flag: true, count: 1) }
}

/// A decoder that returns placeholder values for every request.
struct PlaceholderDecoder: Decoder, SingleValueDecodingContainer {
  let material: PlaceholderMaterial
  var depth = 0
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Container(self))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { Container<NoKey>(self) }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
  func decodeNil() -> Bool { true }

  /// The depth is limited, because a type may contain itself.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if let value = material.primitive(type) ?? NilLiteral.value(type) { return value }
    guard depth < 32, let value = Placeholder.attempt(type, material, depth: depth) ?? Placeholder.zero(of: type)
    else { throw DecodingError.valueNotFound(type, .init(codingPath: [], debugDescription: "no placeholder")) }
    return value
  }

  /// A container of any kind.
  private struct Container<Key: CodingKey>: KeyedDecodingContainerProtocol, UnkeyedDecodingContainer {
    /// Decodes the nested values.
    let inner: PlaceholderDecoder
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { [] }

    init(_ decoder: PlaceholderDecoder) {
      inner = PlaceholderDecoder(material: decoder.material, depth: decoder.depth + 1)
    }

    /// An enum with payloads reads its case from the first key. Dictionary keys contain strings and thus have no
    /// all-zero value.
    var allKeys: [Key] { inner.depth <= 16 ? Placeholder.zero(of: Key.self).map { [$0] } ?? [] : [] }
    func contains(_ key: Key) -> Bool { false }
    func decodeNil(forKey key: Key) throws -> Bool { true }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try inner.decode(type) }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try inner.container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try inner.unkeyedContainer() }
    func superDecoder(forKey key: Key) throws -> any Decoder { inner }
    func superDecoder() throws -> any Decoder { inner }

    /// The element count; 0 if the container is nested too deeply.
    var count: Int? { inner.depth <= 16 ? inner.material.count : 0 }
    var isAtEnd: Bool { currentIndex >= count ?? 0 }

    /// Returns the next element's decoder.
    private mutating func next() -> PlaceholderDecoder {
      currentIndex += 1
      return inner
    }
    mutating func decodeNil() throws -> Bool { next().decodeNil() }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().decode(type) }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
  }
}
