import Foundation

/// A JSON value with keys in sorted order.
package indirect enum JSONNode: Sendable, Equatable, Encodable {
  case boolean(Bool)
  case integer(Int64)
  case string(String)
  case array([JSONNode])
  case object([String: JSONNode])

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .boolean(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }

  /// The text with a final line break.
  ///
  /// - Throws: Never in practice; `JSONEncoder` declares it.
  package var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
  }
}

extension JSONNode: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(arrayLiteral elements: JSONNode...) { self = .array(elements) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(dictionaryLiteral elements: (String, JSONNode)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { first, _ in first }))
  }

  /// Returns an object with further keys, which replace existing ones.
  package func adding(_ more: [String: JSONNode]) -> JSONNode {
    guard case .object(let values) = self else { return self }
    return .object(values.merging(more) { _, new in new })
  }

  /// A schema that also accepts null.
  package var orNull: JSONNode { ["anyOf": [self, ["type": "null"]]] }
}
