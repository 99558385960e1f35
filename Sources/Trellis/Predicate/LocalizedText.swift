public import Foundation

/// A comparison of texts that Foundation offers outside predicates only, on Linux.
///
/// It stands in a predicate's tree as a captured value, so that the tree is made of Foundation's own
/// nodes and can be printed.
public enum LocalizedText: String, Codable, Sendable {
  /// Like `localizedStandardContains`.
  case contains

  /// The comparison of two texts.
  public var test: Expression<String, String, Bool> {
    Expression { LocalizedTextNode(base: $0, other: $1) }
  }

  /// Like `localizedStandardContains`: case and diacritics do not matter, the empty text is nowhere.
  ///
  /// By way of `NSString`: turning the found range into indices may stop the process.
  static func contains(_ text: String, _ part: String) -> Bool {
    let text = NSString(string: text)
    return text.range(
      of: part, options: [.caseInsensitive, .diacriticInsensitive],
      range: NSRange(location: 0, length: text.length), locale: .current
    ).location != NSNotFound
  }
}

private struct LocalizedTextNode<B, O>: StandardPredicateExpression
where B: StandardPredicateExpression<String>, O: StandardPredicateExpression<String> {
  let base: B
  let other: O

  init(base: B, other: O) {
    self.base = base
    self.other = other
  }

  func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    LocalizedText.contains(try base.evaluate(bindings), try other.evaluate(bindings))
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

extension PredicateExpressions {
  /// The node `localizedStandardContains` becomes.
  public typealias LocalizedContains<B: PredicateExpression, O: PredicateExpression> =
    ExpressionEvaluate<
      PredicateExpressions.KeyPath<
        PredicateExpressions.Value<LocalizedText>, Expression<String, String, Bool>
      >, B, O, Bool
    > where B.Output == String, O.Output == String

  /// What `$0.name.localizedStandardContains(text)` becomes inside `#Predicate`.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static func build_localizedStandardContains<B, O>(
    _ base: B, _ other: O
  ) -> LocalizedContains<B, O>
  where B: PredicateExpression<String>, O: PredicateExpression<String> {
    ExpressionEvaluate(
      expression: KeyPath(root: Value(.contains), keyPath: \.test), input: base, other)
  }
}

extension PredicateExpressions.ExpressionEvaluate: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    guard let function = expression as? any LocalizedTextReference, function.localizedText != nil
    else { return try translation.folded(self, else: "expressions are evaluated in memory") }
    var inputs: [SQLTerm] = []
    for part in repeat each input { inputs.append(try translation.term(part)) }
    if case .constant = inputs[0], case .constant = inputs[1] {
      return try translation.folded(self, else: "")
    }
    let (text, part) = try translation.operands(inputs[0], inputs[1])
    return .scalar(translation.call("swift_localized_contains", text, part))
  }

  func inspect(_ shape: inout PredicateShape) {
    for part in repeat each input { shape.visit(part) }
  }
}

private protocol LocalizedTextReference {
  var localizedText: LocalizedText? { get }
}

extension PredicateExpressions.KeyPath: LocalizedTextReference {
  fileprivate var localizedText: LocalizedText? {
    (root as? PredicateExpressions.Value<LocalizedText>)?.value
  }
}
