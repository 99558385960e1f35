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
  /// Translates a character-based test of two strings.
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
      throw Untranslatable("this value is searched in memory")
    }
    return .scalar(try test(function, text, part))
  }

  /// Calls a function that returns a Bool, or NULL if an argument is NULL.
  func test(_ function: SwiftFunction, _ lhs: ScalarTerm, _ rhs: ScalarTerm) throws -> ScalarTerm {
    var result = ScalarTerm.condition(try call(function, lhs.sql, rhs.sql), .atom)
    result.nilSource = lhs.nilSource ?? rhs.nilSource
    return result
  }
}

// Expansions of methods that `#Predicate` accepts, but for which Foundation provides no nodes. The macro rejects
// `localizedStandardCompare` and `localizedCaseInsensitiveCompare`; these functions exist for a macro that accepts
// them.

extension PredicateExpressions {
  /// The node for `localizedStandardContains`.
  public typealias LocalizedContains<B: PredicateExpression, O: PredicateExpression> =
    ExpressionEvaluate<
      PredicateExpressions.KeyPath<
        PredicateExpressions.Value<LocalizedText>, Expression<String, String, Bool>
      >, B, O, Bool
    > where B.Output == String, O.Output == String

  /// The node for the comparison methods.
  public typealias LocalizedComparison<B: PredicateExpression, O: PredicateExpression> =
    ExpressionEvaluate<
      PredicateExpressions.KeyPath<
        PredicateExpressions.Value<LocalizedText>,
        Expression<String, String, ComparisonResult>
      >, B, O, ComparisonResult
    > where B.Output == String, O.Output == String

  /// Expansion of `$0.name.localizedStandardContains(text)` inside `#Predicate`.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static func build_localizedStandardContains<B, O>(
    _ base: B, _ other: O
  ) -> LocalizedContains<B, O>
  where B: PredicateExpression<String>, O: PredicateExpression<String> {
    ExpressionEvaluate(
      expression: KeyPath(root: Value(.contains), keyPath: \.test), input: base, other)
  }

  /// Expansion of `$0.name.caseInsensitiveCompare(text) == same` inside `#Predicate`, preceded by `let same =
  /// ComparisonResult.orderedSame`.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static func build_caseInsensitiveCompare<B, O>(
    _ base: B, _ other: O
  ) -> LocalizedComparison<B, O>
  where B: PredicateExpression<String>, O: PredicateExpression<String> {
    compare(.caseInsensitiveCompare, base, other)
  }

  /// Expansion of `$0.name.localizedCompare(text) == same` inside `#Predicate`.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static func build_localizedCompare<B, O>(
    _ base: B, _ other: O
  ) -> LocalizedComparison<B, O>
  where B: PredicateExpression<String>, O: PredicateExpression<String> {
    compare(.localizedCompare, base, other)
  }

  /// Creates the node of `$0.name.localizedStandardCompare(text) == same`, for handwritten trees.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static func build_localizedStandardCompare<B, O>(
    _ base: B, _ other: O
  ) -> LocalizedComparison<B, O>
  where B: PredicateExpression<String>, O: PredicateExpression<String> {
    compare(.localizedStandardCompare, base, other)
  }

  /// Creates the node of `$0.name.localizedCaseInsensitiveCompare(text) == same`, for handwritten trees.
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
  /// Translates a call to one of Foundation's localized methods; nil for any other call.
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
  /// Returns the string without normalization, because Foundation's comparisons distinguish the forms.
  fileprivate func text(_ term: SQLTerm) throws -> ScalarTerm {
    if case .constant(let constant) = term, let value = constant.unwrapped as? String {
      return ScalarTerm(sql: "\(value: .text(value))", scalar: .text)
    }
    let scalar = try scalar(term)
    guard scalar.scalar == .text else { throw Untranslatable("this value is compared in memory") }
    return scalar
  }
}
