import Foundation

/// Converts values to strings that are equal if and only if the values are equal.
enum ValueText {
  /// The text for `nil`.
  static let none = "[null]"

  static func text(_ value: Any) -> String {
    if let set = value as? any UnorderedValue { return set.sortedTexts.description }
    if let value = value as? any Encodable {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      if let data = try? encoder.encode([AnyEncodable(value)]) { return String(decoding: data, as: UTF8.self) }
    }
    return "\(value)"
  }

  /// True if a value is preserved. A struct or enum in a newer version can have additional fields.
  static func isKept(_ old: String, in new: String) -> Bool {
    if old == new { return true }
    guard let before = try? JSONSerialization.jsonObject(with: Data(old.utf8)),
      let after = try? JSONSerialization.jsonObject(with: Data(new.utf8))
    else { return false }
    return isKept(before, in: after)
  }

  private static func isKept(_ old: Any, in new: Any) -> Bool {
    switch (old, new) {
    case (let old as [String: Any], let new as [String: Any]):
      return old.allSatisfy { key, value in new[key].map { isKept(value, in: $0) } ?? false }
    case (let old as [Any], let new as [Any]):
      return old.count == new.count && zip(old, new).allSatisfy { isKept($0, in: $1) }
    default:
      return (old as? NSObject) == (new as? NSObject)
    }
  }

  /// Passes a value to the encoder with its static type, because the encoder treats some types specially.
  private struct AnyEncodable: Encodable {
    let value: any Encodable
    init(_ value: any Encodable) { self.value = value }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if let optional = value as? any OptionalEncodable {
        guard let wrapped = optional.wrapped else { return try container.encodeNil() }
        return try AnyEncodable(wrapped).encode(to: encoder)
      }
      try container.encode(value)
    }
  }
}

private protocol OptionalEncodable { var wrapped: (any Encodable)? { get } }
extension Optional: OptionalEncodable where Wrapped: Encodable {
  var wrapped: (any Encodable)? { self }
}

/// A value that is encoded in no fixed order.
private protocol UnorderedValue { var sortedTexts: [String] { get } }
extension Set: UnorderedValue {
  var sortedTexts: [String] { map { ValueText.text($0) }.sorted() }
}
extension Dictionary: UnorderedValue {
  var sortedTexts: [String] { map { "\(ValueText.text($0)): \(ValueText.text($1))" }.sorted() }
}
