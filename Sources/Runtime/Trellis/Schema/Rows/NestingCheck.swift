import Foundation

/// Refuses values that are nested more deeply than JSON text can be.
///
/// `JSONEncoder` recurses once per level, and a value that is nested a few thousand levels deep would overflow the stack.
/// The check visits the value as an encoder does, and stops at the limit.
struct NestingCheck: Encoder {
  /// The number of nested arrays and objects that `JSONEncoder` writes.
  static let maximumLevels = 511
  /// The number of nested calls of `encode(to:)`. Some calls add no level.
  private static let maximumCalls = 2 * maximumLevels

  fileprivate let levels: Int
  private let calls: Int
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// - Throws: ``TooDeep``. The encoder throws errors of the value's `encode(to:)`, with the coding path.
  static func check<T: Encodable>(_ value: T) throws {
    do {
      try NestingCheck(levels: 0, calls: 0).visit(value)
    } catch let error as TooDeep {
      throw error
    } catch {}
  }

  struct TooDeep: Error, CustomStringConvertible {
    var description: String {
      "nested more than \(maximumLevels) levels deep, more than JSON encoders write: use related models instead"
    }
  }

  private init(levels: Int, calls: Int) {
    self.levels = levels
    self.calls = calls
  }

  fileprivate func deeper() -> NestingCheck { NestingCheck(levels: levels + 1, calls: calls) }

  fileprivate func visit<T: Encodable>(_ value: T) throws {
    if Self.isLeaf(T.self) { return }
    guard levels < Self.maximumLevels, calls < Self.maximumCalls else { throw TooDeep() }
    try value.encode(to: NestingCheck(levels: levels, calls: calls + 1))
  }

  /// Whether a container encodes values of the type itself. Data is one: its bytes would be visited one by one.
  private static func isLeaf(_ type: any Any.Type) -> Bool {
    type == String.self || type == Int.self || type == Double.self || type == Bool.self || type == Data.self
      || type == Float.self || type == Int64.self || type == Int32.self || type == Int16.self || type == Int8.self
      || type == UInt.self || type == UInt64.self || type == UInt32.self || type == UInt16.self || type == UInt8.self
      || type == Int128.self || type == UInt128.self
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedCheck<Key>(check: deeper()))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedCheck(check: deeper()) }
  func singleValueContainer() -> any SingleValueEncodingContainer { SingleValueCheck(check: self) }
}

private struct KeyedCheck<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let check: NestingCheck
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws {}
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try check.visit(value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { check.container(keyedBy: keyType) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { check.unkeyedContainer() }
  func superEncoder() -> any Encoder { check }
  func superEncoder(forKey key: Key) -> any Encoder { check }
}

private struct UnkeyedCheck: UnkeyedEncodingContainer {
  let check: NestingCheck
  var codingPath: [any CodingKey] { [] }
  private(set) var count = 0

  init(check: NestingCheck) { self.check = check }

  mutating func encodeNil() throws { count += 1 }

  mutating func encode<T: Encodable>(_ value: T) throws {
    count += 1
    try check.visit(value)
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
    count += 1
    return check.container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    count += 1
    return check.unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    count += 1
    return check
  }
}

private struct SingleValueCheck: SingleValueEncodingContainer {
  let check: NestingCheck
  var codingPath: [any CodingKey] { [] }

  func encodeNil() throws {}
  func encode<T: Encodable>(_ value: T) throws { try check.visit(value) }
}
