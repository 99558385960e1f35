/// A text to be put in order by other rules than `String`'s own, which goes by code points.
///
/// `String.localizedStandard` and its kin make it. As a sort key, and inside `#Predicate`, it
/// means the same in a store and in memory:
///
///     FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name.localizedStandard)])
///     // Café, cafés, Cafeteria, file 9, file 10
///
/// The order is one for all machines: that of the root locale, which is what `Locale.current` is on
/// Linux whatever the environment says. Not in SwiftData, which has `String.StandardComparator` on
/// Apple's platforms for this.
public struct OrderedText: Comparable, Hashable, Sendable, Codable {
  /// The text itself.
  public let text: String
  let order: TextOrder
  let key: [UInt8]

  init(_ text: String, _ order: TextOrder) {
    self.text = text
    self.order = order
    self.key = TextKey.bytes(of: text, order)
  }

  /// Whether the order has no say between the two: the same letters for
  /// `String.caseInsensitive`, equal texts for the others.
  public static func == (lhs: OrderedText, rhs: OrderedText) -> Bool {
    lhs.order == rhs.order && lhs.key == rhs.key
  }

  public static func < (lhs: OrderedText, rhs: OrderedText) -> Bool {
    guard lhs.order == rhs.order else { return lhs.order.rawValue < rhs.order.rawValue }
    return lhs.key.lexicographicallyPrecedes(rhs.key)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// Decodes what ``encode(to:)`` has written.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(String.self, forKey: .text),
      try container.decode(TextOrder.self, forKey: .order))
  }

  /// Encodes the value.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(text, forKey: .text)
    try container.encode(order, forKey: .order)
  }

  private enum CodingKeys: CodingKey { case text, order }
}

/// The rules by which texts can be ordered besides Swift's own.
enum TextOrder: Int, Codable, Sendable, CaseIterable {
  /// As people expect in lists: numbers by value, accents and case only between equals.
  case localizedStandard
  /// The same with digits as characters.
  case localized
  /// Upper and lower case are one; anything else is as in `String`.
  case caseInsensitive
}

extension String {
  /// The text in the order people expect in lists of files: by letters, accents and case deciding
  /// only between equals, runs of digits by their value, punctuation before digits before letters.
  public var localizedStandard: OrderedText { OrderedText(self, .localizedStandard) }

  /// The text in the order of a dictionary: as ``localizedStandard``, but digit by digit.
  public var localized: OrderedText { OrderedText(self, .localized) }

  /// The text in Swift's own order, upper and lower case being the same.
  public var caseInsensitive: OrderedText { OrderedText(self, .caseInsensitive) }
}

extension Optional where Wrapped == String {
  /// `String.localizedStandard` of the text; nil, which comes first, without one.
  public var localizedStandard: OrderedText? { map(\.localizedStandard) }

  /// ``Swift/String/localized`` of the text; nil, which comes first, without one.
  public var localized: OrderedText? { map(\.localized) }

  /// `String.caseInsensitive` of the text; nil, which comes first, without one.
  public var caseInsensitive: OrderedText? { map(\.caseInsensitive) }
}

extension TextOrder {
  /// The key paths by which the order is asked for.
  var keyPath: KeyPath<String, OrderedText> {
    switch self {
    case .localizedStandard: \.localizedStandard
    case .localized: \.localized
    case .caseInsensitive: \.caseInsensitive
    }
  }

  var optionalKeyPath: KeyPath<String?, OrderedText?> {
    switch self {
    case .localizedStandard: \.localizedStandard
    case .localized: \.localized
    case .caseInsensitive: \.caseInsensitive
    }
  }
}
