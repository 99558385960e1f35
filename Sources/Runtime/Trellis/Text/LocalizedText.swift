public import Foundation

/// A localized text comparison for use in predicates.
///
/// On Linux, Foundation offers these comparisons only outside predicates. A value of this type is captured by the
/// predicate, so that the predicate consists of Foundation's nodes and can be printed.
public enum LocalizedText: String, Codable, Sendable {
  /// Equivalent to `localizedStandardContains`.
  case contains
  /// Equivalent to Foundation's methods with these names.
  case localizedCompare, localizedStandardCompare, localizedCaseInsensitiveCompare
  /// Equivalent to Foundation's method with this name.
  case caseInsensitiveCompare

  /// True if the first text contains the second text.
  public var test: Expression<String, String, Bool> {
    Expression { LocalizedTextNode(base: $0, other: $1, evaluation: Self.contains) }
  }

  /// The order of the first text relative to the second text.
  public var comparison: Expression<String, String, ComparisonResult> {
    Expression { LocalizedTextNode(base: $0, other: $1, evaluation: compare) }
  }

  /// True if `text` contains `part`. Case, diacritics and width are ignored; no text contains the empty text.
  static func contains(_ text: String, _ part: String) -> Bool {
    var (text, part) = (text, part)
    if let found = text.withUTF8({ text in part.withUTF8 { TextSearch.finds(text, $0) } }) {
      return found
    }
    // Search with `NSString`, because the conversion of the found range to `String` indices can trap.
    let string = NSString(string: text)
    return string.range(
      of: part, options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
      range: NSRange(location: 0, length: string.length), locale: .current
    ).location != NSNotFound
  }

  /// The result of Foundation's method with the name of the case.
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
