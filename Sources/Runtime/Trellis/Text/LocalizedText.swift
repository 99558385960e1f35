public import Foundation

/// A comparison of texts that Foundation offers outside predicates only, on Linux.
///
/// It stands in a predicate's tree as a captured value, so that the tree is made of Foundation's own
/// nodes and can be printed.
public enum LocalizedText: String, Codable, Sendable {
  /// Like `localizedStandardContains`.
  case contains
  /// Foundation's methods of these names.
  case localizedCompare, localizedStandardCompare, localizedCaseInsensitiveCompare
  /// Foundation's method of this name.
  case caseInsensitiveCompare

  /// Whether the first text contains the second one.
  public var test: Expression<String, String, Bool> {
    Expression { LocalizedTextNode(base: $0, other: $1, evaluation: Self.contains) }
  }

  /// Where the first text stands to the second one.
  public var comparison: Expression<String, String, ComparisonResult> {
    Expression { LocalizedTextNode(base: $0, other: $1, evaluation: compare) }
  }

  /// Like `localizedStandardContains`: case, diacritics and width do not matter, the empty text is
  /// nowhere.
  static func contains(_ text: String, _ part: String) -> Bool {
    var (text, part) = (text, part)
    if let found = text.withUTF8({ text in part.withUTF8 { TextSearch.finds(text, $0) } }) {
      return found
    }
    // By way of `NSString`: turning the found range into indices may stop the process.
    let string = NSString(string: text)
    return string.range(
      of: part, options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
      range: NSRange(location: 0, length: string.length), locale: .current
    ).location != NSNotFound
  }

  /// What Foundation's method of the same name says.
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

  // The protocol asks for coding, which Linux's Foundation has no use for.
  init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "Predicates are not decoded."))
  }

  func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self, .init(codingPath: encoder.codingPath, debugDescription: "Predicates are not encoded."))
  }
}
