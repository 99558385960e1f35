public import Foundation

@_spi(_Unicode) import Swift

/// Normalization rules. Swift compares text in canonical form, while SQLite compares bytes.
package enum TextRules {
  /// The first UTF-8 byte of U+0300, the first scalar that can combine with a preceding scalar.
  private static let firstCombining: UInt8 = 0xCC

  /// Returns true if every scalar is below U+0300. The bytes are then in normalization form C.
  package static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var highest: UInt8 = 0
    for byte in bytes { highest = max(highest, byte) }
    return highest < firstCombining
  }

  /// Returns true if the text is in normalization form C. Comparing bytes then gives the same result as comparing the
  /// text in Swift.
  package static func isNFC(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if isPlain(bytes) { return true }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.unicodeScalars.elementsEqual(text._nfc)
  }

  /// Returns the text in normalization form C.
  package static func normalized(_ text: String) -> String {
    var text = text
    if text.withUTF8({ isPlain($0) }) { return text }
    var normalized = ""
    normalized.unicodeScalars.append(contentsOf: text._nfc)
    return normalized
  }

  /// Compares text in Swift's order, which is the code point order in normalization form C.
  package static func order(_ lhs: String, _ rhs: String) -> ComparisonResult {
    if lhs < rhs { return .orderedAscending }
    return lhs == rhs ? .orderedSame : .orderedDescending
  }
}

// MARK: Orders

/// Text that sorts in a different order than `String`, which compares code points.
///
/// Create it with `String.localizedStandard`, `String.localized` or `String.caseInsensitive`. As a sort key and inside
/// `#Predicate`, it gives the same results in a store and in memory:
///
/// ```swift
/// let sorted = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name.localizedStandard)])
/// // Café, cafés, Cafeteria, file 9, file 10
/// let name = "ICELAND".caseInsensitive
/// let matches = FetchDescriptor<Trip>(predicate: #Predicate { $0.name.caseInsensitive == name })
/// ```
///
/// The order does not depend on the machine. It is the root locale's order; `Locale.current` is the root locale on
/// Linux regardless of the environment. SwiftData does not have this type; on Apple's platforms it has
/// `String.StandardComparator`.
public struct CollatedText: Comparable, Hashable, Sendable, Codable {
  /// The original text.
  public let text: String
  let order: TextOrder
  let key: [UInt8]

  init(_ text: String, _ order: TextOrder) {
    self.text = text
    self.order = order
    self.key = TextKey.bytes(of: text, order)
  }

  /// Returns true if the two values are equal under the order. `String.caseInsensitive` ignores case; the other orders
  /// require equal text.
  public static func == (lhs: CollatedText, rhs: CollatedText) -> Bool {
    lhs.order == rhs.order && lhs.key == rhs.key
  }

  /// Returns true if the first value precedes the second value in the order.
  public static func < (lhs: CollatedText, rhs: CollatedText) -> Bool {
    guard lhs.order == rhs.order else { return lhs.order.rawValue < rhs.order.rawValue }
    return lhs.key.lexicographicallyPrecedes(rhs.key)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// Decodes a value that ``encode(to:)`` encoded.
  ///
  /// - Throws: `DecodingError` if the data has a different structure.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(String.self, forKey: .text),
      try container.decode(TextOrder.self, forKey: .order))
  }

  private enum CodingKeys: CodingKey { case text, order }
}

/// Sort orders for text, in addition to the order of `String`.
package enum TextOrder: Int, Codable, Sendable, CaseIterable {
  /// Letters decide first, accents and case only break ties, and numbers compare by value.
  case localizedStandard
  /// Like `localizedStandard`, but digits compare as characters.
  case localized
  /// Like `String`, but case is ignored.
  case caseInsensitive
}

extension String {
  /// The text in the order of a file list. Letters decide first; accents and case only break ties. Digit sequences
  /// compare by value. Punctuation sorts before digits, and digits before letters.
  ///
  /// ```swift
  /// ["Day 10", "day 9", "Day 9"].sorted { $0.localizedStandard < $1.localizedStandard }
  /// // ["day 9", "Day 9", "Day 10"]
  /// ```
  public var localizedStandard: CollatedText { CollatedText(self, .localizedStandard) }

  /// The text in dictionary order: like ``localizedStandard``, but each digit is compared as a character.
  ///
  /// ```swift
  /// ["Day 9", "Day 10"].sorted { $0.localized < $1.localized }  // ["Day 10", "Day 9"]
  /// ```
  public var localized: CollatedText { CollatedText(self, .localized) }

  /// The text in `String` order, ignoring case.
  ///
  /// ```swift
  /// "Reykjavík".caseInsensitive == "REYKJAVÍK".caseInsensitive  // true
  /// ```
  public var caseInsensitive: CollatedText { CollatedText(self, .caseInsensitive) }
}

extension Optional where Wrapped == String {
  /// `String.localizedStandard` of the text. Nil sorts before all text.
  public var localizedStandard: CollatedText? { map(\.localizedStandard) }

  /// ``Swift/String/localized`` of the text. Nil sorts before all text.
  public var localized: CollatedText? { map(\.localized) }

  /// `String.caseInsensitive` of the text. Nil sorts before all text.
  public var caseInsensitive: CollatedText? { map(\.caseInsensitive) }
}

extension TextOrder {
  /// The key path that requests the order in a predicate or sort descriptor.
  package var keyPath: KeyPath<String, CollatedText> {
    switch self {
    case .localizedStandard: \.localizedStandard
    case .localized: \.localized
    case .caseInsensitive: \.caseInsensitive
    }
  }

  /// The key path for an optional string: `\.note.localizedStandard`.
  package var optionalKeyPath: KeyPath<String?, CollatedText?> {
    switch self {
    case .localizedStandard: \.localizedStandard
    case .localized: \.localized
    case .caseInsensitive: \.caseInsensitive
    }
  }

  /// The key path for an optional chain: `\.note?.localizedStandard`.
  var chainedKeyPath: KeyPath<String?, CollatedText?> {
    switch self {
    case .localizedStandard: \.?.localizedStandard
    case .localized: \.?.localized
    case .caseInsensitive: \.?.caseInsensitive
    }
  }
}

// MARK: Localized text

/// A localized text comparison for use in predicates.
///
/// On Linux, Foundation offers these comparisons only outside predicates. Predicates capture values of this type, so
/// that the predicate consists of Foundation's nodes and can be printed.
public enum LocalizedText: String, Codable, Sendable {
  /// Equivalent to `localizedStandardContains`.
  case contains
  /// Equivalent to Foundation's methods with the same names.
  case localizedCompare, localizedStandardCompare, localizedCaseInsensitiveCompare
  /// Equivalent to Foundation's method with the same name.
  case caseInsensitiveCompare

  /// An expression that is true if the first string contains the second string.
  public var test: Expression<String, String, Bool> {
    Expression { LocalizedTextNode(base: $0, other: $1, evaluation: Self.contains) }
  }

  /// An expression that returns the first string's order relative to the second string.
  public var comparison: Expression<String, String, ComparisonResult> {
    Expression { LocalizedTextNode(base: $0, other: $1, evaluation: compare) }
  }

  /// Returns true if `text` contains `part`. Case, diacritics and width are ignored; no text contains the empty string.
  static func contains(_ text: String, _ part: String) -> Bool {
    var (text, part) = (text, part)
    if let found = text.withUTF8({ text in part.withUTF8 { TextSearch.finds(text, $0) } }) {
      return found
    }
    // Search with `NSString`, because converting the found range to `String` indices can trap.
    let string = NSString(string: text)
    return string.range(
      of: part, options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
      range: NSRange(location: 0, length: string.length), locale: .current
    ).location != NSNotFound
  }

  /// Returns the result of Foundation's method that has the case's name.
  func compare(_ text: String, _ other: String) -> ComparisonResult {
    switch self {
    case .contains: TextRules.order(text, other)
    case .localizedCompare: text.localizedCompare(other)
    case .localizedStandardCompare: text.localizedStandardCompare(other)
    case .localizedCaseInsensitiveCompare: text.localizedCaseInsensitiveCompare(other)
    case .caseInsensitiveCompare: text.caseInsensitiveCompare(other)
    }
  }
}

private struct LocalizedTextNode<B, O, Output>: StandardPredicateExpression
where B: StandardPredicateExpression<String>, O: StandardPredicateExpression<String> {
  let base: B
  let other: O
  let evaluation: @Sendable (String, String) -> Output

  init(base: B, other: O, evaluation: @escaping @Sendable (String, String) -> Output) {
    self.base = base
    self.other = other
    self.evaluation = evaluation
  }

  func evaluate(_ bindings: PredicateBindings) throws -> Output {
    evaluation(try base.evaluate(bindings), try other.evaluate(bindings))
  }

  // `StandardPredicateExpression` requires `Codable`, which Foundation does not use on Linux.
  init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "Predicates are not decoded."))
  }

  func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self, .init(codingPath: encoder.codingPath, debugDescription: "Predicates are not encoded."))
  }
}
