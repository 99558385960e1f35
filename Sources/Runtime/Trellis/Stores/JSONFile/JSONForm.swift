import Foundation

/// The text of values that are no plain numbers or text: equal values have one, so that a file changes
/// where its models have.
enum JSONForm {
  static func text<T: Encodable>(of value: T, _ encoder: JSONEncoder) throws -> Data {
    if let unordered = value as? any UnorderedValue, let text = try unordered.orderedText(encoder) {
      return text
    }
    return try encoder.encode(value)
  }
}

/// A collection whose elements come in another order in every process.
private protocol UnorderedValue {
  /// Its elements in the order of their texts; nil where the encoder puts them in order itself.
  func orderedText(_ encoder: JSONEncoder) throws -> Data?
}

extension UnorderedValue {
  fileprivate func list(_ texts: [Data]) -> Data {
    let sorted = texts.sorted { $0.lexicographicallyPrecedes($1) }
    return Data("[".utf8) + Data(sorted.joined(separator: ",".utf8)) + Data("]".utf8)
  }
}

extension Set: UnorderedValue where Element: Encodable {
  fileprivate func orderedText(_ encoder: JSONEncoder) throws -> Data? {
    list(try map { try JSONForm.text(of: $0, encoder) })
  }
}

extension Dictionary: UnorderedValue where Key: Encodable, Value: Encodable {
  fileprivate func orderedText(_ encoder: JSONEncoder) throws -> Data? {
    let hasNames =
      Key.self is String.Type || Key.self is Int.Type || Key.self is any CodingKeyRepresentable.Type
    if hasNames { return nil }
    // Keys and values in turn, as a dictionary codes itself.
    return list(
      try map { try JSONForm.text(of: $0, encoder) + Data(",".utf8) + JSONForm.text(of: $1, encoder) })
  }
}
