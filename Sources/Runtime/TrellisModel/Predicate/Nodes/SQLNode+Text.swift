public import Foundation

extension PredicateExpressions.CollectionContainsCollection: SQLNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.textTest(.contains, base, other)
  }

  package func inspect(_ shape: inout PredicateShape) { shape.visit(base, other) }
}

extension PredicateExpressions.SequenceStartsWith: SQLNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.textTest(.starts, base, prefix)
  }

  package func inspect(_ shape: inout PredicateShape) { shape.visit(base, prefix) }
}

extension PredicateExpressions.StringContainsRegex: SQLNode {
  package func inspect(_ shape: inout PredicateShape) {
    shape.visitDynamicCall()
    shape.visit(subject)
  }
}

extension Translation {
  /// A test of one text against another, character by character.
  mutating func textTest<L: PredicateExpression, R: PredicateExpression>(
    _ function: SwiftFunction, _ base: L, _ other: R
  ) throws -> SQLTerm {
    guard L.Output.self == String.self, R.Output.self == String.self else {
      throw Untranslatable("\(L.Output.self) is searched in memory")
    }
    let (left, right) = (try term(base), try term(other))
    if case .constant(let constant) = right, constant.value as? String == "" {
      return .constant(ConstantTerm(value: true, type: Bool.self))
    }
    let (text, part) = try operands(left, right)
    guard text.scalar == .text, part.scalar == .text else {
      throw Untranslatable("this is searched in memory")
    }
    return .scalar(try test(function, text, part))
  }

  /// A function that returns a Bool, and NULL if an argument is NULL.
  func test(_ function: SwiftFunction, _ lhs: ScalarTerm, _ rhs: ScalarTerm) throws -> ScalarTerm {
    var result = ScalarTerm.condition(try call(function, lhs.sql, rhs.sql), .atom)
    result.nilSource = lhs.nilSource ?? rhs.nilSource
    return result
  }
}

// What `#Predicate` makes of the methods: it lets the names through and Foundation lacks the nodes.
// `localizedStandardCompare` and `localizedCaseInsensitiveCompare` it does not let through; they
// wait here for a macro that does.

extension PredicateExpressions {
  /// The node `localizedStandardContains` becomes.
  public typealias LocalizedContains<B: PredicateExpression, O: PredicateExpression> =
    ExpressionEvaluate<
      PredicateExpressions.KeyPath<
        PredicateExpressions.Value<LocalizedText>, Expression<String, String, Bool>
      >, B, O, Bool
    > where B.Output == String, O.Output == String

  /// The node the comparing methods become.
  public typealias LocalizedComparison<B: PredicateExpression, O: PredicateExpression> =
    ExpressionEvaluate<
      PredicateExpressions.KeyPath<
        PredicateExpressions.Value<LocalizedText>,
        Expression<String, String, ComparisonResult>
      >, B, O, ComparisonResult
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

  /// What `$0.name.caseInsensitiveCompare(text) == same` becomes inside `#Predicate`, with
  /// `let same = ComparisonResult.orderedSame` before it.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static func build_caseInsensitiveCompare<B, O>(
    _ base: B, _ other: O
  ) -> LocalizedComparison<B, O>
  where B: PredicateExpression<String>, O: PredicateExpression<String> {
    compare(.caseInsensitiveCompare, base, other)
  }

  /// What `$0.name.localizedCompare(text) == same` becomes inside `#Predicate`.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static func build_localizedCompare<B, O>(
    _ base: B, _ other: O
  ) -> LocalizedComparison<B, O>
  where B: PredicateExpression<String>, O: PredicateExpression<String> {
    compare(.localizedCompare, base, other)
  }

  /// What `$0.name.localizedStandardCompare(text) == same` is, for trees built by hand.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static func build_localizedStandardCompare<B, O>(
    _ base: B, _ other: O
  ) -> LocalizedComparison<B, O>
  where B: PredicateExpression<String>, O: PredicateExpression<String> {
    compare(.localizedStandardCompare, base, other)
  }

  /// What `$0.name.localizedCaseInsensitiveCompare(text) == same` is, for trees built by hand.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static func build_localizedCaseInsensitiveCompare<B, O>(
    _ base: B, _ other: O
  ) -> LocalizedComparison<B, O>
  where B: PredicateExpression<String>, O: PredicateExpression<String> {
    compare(.localizedCaseInsensitiveCompare, base, other)
  }

  private static func compare<B, O>(
    _ function: LocalizedText, _ base: B, _ other: O
  ) -> LocalizedComparison<B, O>
  where B: PredicateExpression<String>, O: PredicateExpression<String> {
    ExpressionEvaluate(
      expression: KeyPath(root: Value(function), keyPath: \.comparison), input: base, other)
  }
}

extension PredicateExpressions.ExpressionEvaluate {
  /// The node as a call of one of the methods above; nil when it is none.
  func localizedTerm(_ translation: inout Translation) throws -> SQLTerm? {
    guard let function = calledFunction as? LocalizedText else { return nil }
    var inputs: [SQLTerm] = []
    for part in repeat each input { inputs.append(try translation.term(part)) }
    let (text, part) = (try translation.text(inputs[0]), try translation.text(inputs[1]))
    guard function != .contains else {
      return .scalar(try translation.test(.localizedContains, text, part))
    }
    var result = ScalarTerm(
      sql: try translation.call(
        .localizedCompare, text.sql, part.sql, "\(value: .text(function.rawValue))"),
      scalar: .integer)
    result.nilSource = text.nilSource ?? part.nilSource
    return .scalar(result)
  }
}

extension Translation {
  /// A text as it is, not normalised: Foundation's comparisons see the difference.
  fileprivate func text(_ term: SQLTerm) throws -> ScalarTerm {
    if case .constant(let constant) = term, let value = constant.unwrapped as? String {
      return ScalarTerm(sql: "\(value: .text(value))", scalar: .text)
    }
    let scalar = try scalar(term)
    guard scalar.scalar == .text else { throw Untranslatable("this is compared in memory") }
    return scalar
  }
}
