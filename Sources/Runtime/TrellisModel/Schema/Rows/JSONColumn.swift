import CSQLite
import Foundation

/// Encodes values as JSON text with sorted keys. Numbers that JSON cannot represent are encoded as strings.
package enum JSONColumn {
  private static let positiveInfinity = "Infinity"
  private static let negativeInfinity = "-Infinity"
  private static let nan = "NaN"

  /// - Throws: ``UnencodableValue``.
  package static func text<T: Encodable>(of value: T) throws -> String {
    do {
      try NestingCheck.check(value)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: positiveInfinity, negativeInfinity: negativeInfinity, nan: nan)
      let text = try encoder.encode(value)
      try check(text, of: "\(T.self)")
      return String(decoding: text, as: UTF8.self)
    } catch {
      throw UnencodableValue(error)
    }
  }

  /// Rejects a nested `Decimal` NaN, which the encoder writes as a bare word that no decoder can read.
  private static func check(_ text: Data, of name: String) throws {
    guard text.range(of: Data(nan.utf8)) != nil,
      (try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)) == nil
    else { return }
    throw DecimalNotANumber(name: name)
  }

  private struct DecimalNotANumber: Error, CustomStringConvertible {
    let name: String
    var description: String { "'\(name)' contains a 'Decimal' that is not a number, which JSON cannot represent" }
  }

  package static func value<T: Decodable>(_ type: T.Type, from bytes: Data) throws -> T {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: positiveInfinity, negativeInfinity: negativeInfinity, nan: nan)
    return try decoder.decode(type, from: bytes)
  }

  package static func read<T: Codable>(_ row: inout StatementRow, _ column: Int32) throws -> T {
    if row.isNull(column) {
      guard !row.isRequired(column), let none = NilLiteral.value(T.self) else {
        throw row.unreadable(column, as: T.self)
      }
      return none
    }
    let bytes = try row.bytes(column, SQLITE_TEXT, as: T.self)
    do {
      let value = try value(T.self, from: Data(bytes))
      SeenValues.record(value)
      return value
    } catch is DecodingError {
      throw row.unreadable(column, as: T.self)
    }
  }

  package static func bind<T: Codable>(
    _ value: T, to row: inout StatementBinder, _ parameter: Int32
  ) throws {
    if (value as? any OptionalValue)?.isNil == true { return try row.bindNull(parameter) }
    SeenValues.record(value)
    try bind(to: &row, parameter) { try text(of: value) }
  }

  static func bind(to row: inout StatementBinder, _ parameter: Int32, _ text: () throws -> String) throws {
    try row.bind(UnencodableValue.locating(Int(parameter - StatementBinder.firstParameter), text), parameter)
  }
}

/// Rejects values that exceed the nesting limit for JSON encoders.
///
/// `JSONEncoder` recurses once per level, so a value with a few thousand nested levels would overflow the stack. The
/// check visits the value as an encoder does and stops at the limit.
struct NestingCheck: Encoder {
  /// The maximum nesting depth for arrays and objects in `JSONEncoder` output.
  static let maximumLevels = 511
  /// The maximum nesting depth for calls to `encode(to:)`. Some calls add no level.
  private static let maximumCalls = 2 * maximumLevels

  fileprivate let levels: Int
  private let calls: Int
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// - Throws: ``TooDeep``. Errors from the value's `encode(to:)` are ignored here; the encoder throws them with the
  ///   coding path.
  static func check<T: Encodable>(_ value: T) throws {
    do {
      try NestingCheck(levels: 0, calls: 0).visit(value)
    } catch let error as TooDeep {
      throw error
    } catch {}
  }

  struct TooDeep: Error, CustomStringConvertible {
    var description: String {
      "nested more than \(maximumLevels) levels deep, which JSON encoders do not support: use related models instead"
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

  /// Returns true if encoders write the type without calling its own code, or if it contains no nested values.
  private static func isLeaf(_ type: any Any.Type) -> Bool {
    StandardValues.contains(type) || type == Int128.self || type == UInt128.self
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(ContainerCheck<Key>(check: deeper()))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { ContainerCheck<NoKey>(check: deeper()) }
  func singleValueContainer() -> any SingleValueEncodingContainer { ContainerCheck<NoKey>(check: self) }
}

enum NoKey: CodingKey {}

/// Visits the values in a container of any kind.
private struct ContainerCheck<Key: CodingKey>: KeyedEncodingContainerProtocol, UnkeyedEncodingContainer,
  SingleValueEncodingContainer
{
  let check: NestingCheck
  var codingPath: [any CodingKey] { [] }
  private(set) var count = 0

  package init(check: NestingCheck) { self.check = check }

  mutating func encodeNil() throws { count += 1 }
  mutating func encode<T: Encodable>(_ value: T) throws {
    count += 1
    try check.visit(value)
  }

  func encodeNil(forKey key: Key) throws {}
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try check.visit(value) }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
    count += 1
    return check.container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    count += 1
    return check.unkeyedContainer()
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { check.container(keyedBy: keyType) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { check.unkeyedContainer() }
  func superEncoder(forKey key: Key) -> any Encoder { check }

  mutating func superEncoder() -> any Encoder {
    count += 1
    return check
  }
}
