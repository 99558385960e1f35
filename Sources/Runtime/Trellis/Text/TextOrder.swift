/// A text that compares by other rules than `String`, which compares code points.
///
/// Create it with `String.localizedStandard`, `String.localized` or `String.caseInsensitive`. As a sort key and
/// inside `#Predicate`, it gives equal results in a store and in memory:
///
///     FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name.localizedStandard)])
///     // Café, cafés, Cafeteria, file 9, file 10
///
/// The order does not depend on the machine: it is the order of the root locale, which `Locale.current` is on Linux
/// regardless of the environment. SwiftData does not have this type; on Apple's platforms it has
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

  /// True if the two texts are equal under the order: equal except for case for `String.caseInsensitive`, equal texts
  /// for the other orders.
  public static func == (lhs: CollatedText, rhs: CollatedText) -> Bool {
    lhs.order == rhs.order && lhs.key == rhs.key
  }

  public static func < (lhs: CollatedText, rhs: CollatedText) -> Bool {
    guard lhs.order == rhs.order else { return lhs.order.rawValue < rhs.order.rawValue }
    return lhs.key.lexicographicallyPrecedes(rhs.key)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// Decodes a value that ``encode(to:)`` encoded.
  ///
  /// - Throws: `DecodingError` if the data has another structure.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(String.self, forKey: .text),
      try container.decode(TextOrder.self, forKey: .order))
  }

  /// Encodes the text and its order.
  ///
  /// - Throws: Any error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(text, forKey: .text)
    try container.encode(order, forKey: .order)
  }

  private enum CodingKeys: CodingKey { case text, order }
}

/// The orders of text in addition to that of `String`.
package enum TextOrder: Int, Codable, Sendable, CaseIterable {
  /// Letters first, accents and case only to break ties, numbers by value.
  case localizedStandard
  /// Like `localizedStandard`, but digits compare as characters.
  case localized
  /// Like `String`, but case is ignored.
  case caseInsensitive
}

extension String {
  /// The text in the order of file lists: letters decide first, accents and case only break ties, runs of digits
  /// compare by value, punctuation sorts before digits and digits before letters.
  public var localizedStandard: CollatedText { CollatedText(self, .localizedStandard) }

  /// The text in dictionary order: like ``localizedStandard``, but each digit is compared as a character.
  public var localized: CollatedText { CollatedText(self, .localized) }

  /// The text in the order of `String`, without regard to case.
  public var caseInsensitive: CollatedText { CollatedText(self, .caseInsensitive) }
}

extension Optional where Wrapped == String {
  /// `String.localizedStandard` of the text. Nil sorts before every text.
  public var localizedStandard: CollatedText? { map(\.localizedStandard) }

  /// ``Swift/String/localized`` of the text. Nil sorts before every text.
  public var localized: CollatedText? { map(\.localized) }

  /// `String.caseInsensitive` of the text. Nil sorts before every text.
  public var caseInsensitive: CollatedText? { map(\.caseInsensitive) }
}

extension TextOrder {
  /// The key path that requests the order in a predicate or sort descriptor.
  var keyPath: KeyPath<String, CollatedText> {
    switch self {
    case .localizedStandard: \.localizedStandard
    case .localized: \.localized
    case .caseInsensitive: \.caseInsensitive
    }
  }

  /// Of an optional text: `\.note.localizedStandard`.
  var optionalKeyPath: KeyPath<String?, CollatedText?> {
    switch self {
    case .localizedStandard: \.localizedStandard
    case .localized: \.localized
    case .caseInsensitive: \.caseInsensitive
    }
  }

  /// The same as an optional chain: `\.note?.localizedStandard`.
  var chainedKeyPath: KeyPath<String?, CollatedText?> {
    switch self {
    case .localizedStandard: \.?.localizedStandard
    case .localized: \.?.localized
    case .caseInsensitive: \.?.caseInsensitive
    }
  }
}
