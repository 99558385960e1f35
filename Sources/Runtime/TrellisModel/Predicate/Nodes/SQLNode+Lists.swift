public import Foundation

/// A closure that is called with a sequence's elements.
protocol SearchNode: SQLNode {
  associatedtype LHS: PredicateExpression where LHS.Output: Sequence
  associatedtype RHS: PredicateExpression where RHS.Output == Bool
  var sequence: LHS { get }
  var variable: PredicateExpressions.Variable<LHS.Output.Element> { get }
  var test: RHS { get }
}

extension SearchNode {
  package func inspect(_ shape: inout PredicateShape) { shape.visit(sequence, variable, test) }

  /// Returns the rows of a relationship for which the closure is true, or not true.
  fileprivate func rows(_ list: ListTerm, passing: Bool, _ translation: inout Translation) throws -> ListTerm {
    let condition = try translation.scoped(variable.key, to: list.member) { translation in
      passing
        ? try translation.condition(test).held(.and)
        : "NOT \(try translation.scalar(translation.term(test)).held(.atom))"
    }
    var list = list
    list.conditions.append(condition)
    return list
  }

  fileprivate var inMemory: Untranslatable { Untranslatable("\(LHS.Output.self) is searched in memory") }

  /// Returns the closure's value for an element.
  fileprivate func passes(_ element: LHS.Output.Element, _ bindings: inout PredicateBindings) throws -> Bool {
    bindings[variable] = element
    return try test.checkedValue(bindings)
  }
}

extension PredicateExpressions.SequenceContainsWhere: SearchNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    switch try translation.term(sequence) {
    case .list(let list):
      return .scalar(
        .condition("EXISTS (SELECT 1 \(try rows(list, passing: true, &translation).body))", .atom))
    case .constant(let constant):
      guard let elements = constant.value as? LHS.Output else { throw ConstantTerm.unsupported(constant.type) }
      return try translation.membership(in: elements, variable, where: test)
    case .scalar, .model: throw inMemory
    }
  }

  package func checked(_ bindings: PredicateBindings) throws -> Bool {
    var inner = bindings
    return try sequence.checkedValue(bindings).contains { try passes($0, &inner) }
  }
}

extension PredicateExpressions.SequenceAllSatisfy: SearchNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    guard case .list(let list) = try translation.term(sequence) else { throw inMemory }
    return .scalar(
      .condition("NOT EXISTS (SELECT 1 \(try rows(list, passing: false, &translation).body))", .and))
  }

  package func checked(_ bindings: PredicateBindings) throws -> Bool {
    var inner = bindings
    return try sequence.checkedValue(bindings).allSatisfy { try passes($0, &inner) }
  }
}

extension PredicateExpressions.Filter: SearchNode {
  var test: RHS { filter }

  package func term(_ translation: inout Translation) throws -> SQLTerm {
    guard case .list(let list) = try translation.term(sequence) else { throw inMemory }
    return .list(try rows(list, passing: true, &translation))
  }

  package func checked(_ bindings: PredicateBindings) throws -> [LHS.Output.Element] {
    var inner = bindings
    return try sequence.checkedValue(bindings).filter { try passes($0, &inner) }
  }
}

extension ListTerm {
  /// The row that represents an element in a closure over the list.
  var member: SQLTerm {
    .model(
      ModelTerm(
        entity: entity, key: "\(column: entity.keyColumn, of: alias)", alias: alias))
  }
}

// `#Predicate` on Linux rejects `evaluate` but accepts subscripts. Predicates and expressions are therefore composed by
// subscripts, which also work outside predicates.

extension Predicate {
  /// True if the predicate matches the given values. Inside another predicate, the call becomes a subexpression.
  ///
  /// ```swift
  /// let now = Date()
  /// let upcoming = #Predicate<Trip> { $0.startDate > now }
  /// let found = #Predicate<Trip> { upcoming[$0] && $0.destination == "Oslo" }
  /// ```
  ///
  /// The nested predicate is translated to SQL together with the enclosing predicate. Not in SwiftData, where this is
  /// spelled `upcoming.evaluate($0)`; the Foundation macro on Linux does not support that call.
  ///
  /// - Throws: Any error from evaluating the predicate.
  public subscript(_ input: repeat each Input) -> Bool {
    get throws { try evaluate(repeat each input) }
  }
}

extension Expression {
  /// The expression's value. Inside a predicate, the call becomes a subexpression.
  ///
  /// ```swift
  /// let planned = #Expression<[BucketListItem], Int> { $0.filter { $0.isInPlan }.count }
  /// let busy = #Predicate<Trip> { planned[$0.bucketList] > 3 }
  /// ```
  ///
  /// - Throws: Any error from evaluating the expression.
  public subscript(_ input: repeat each Input) -> Output {
    get throws { try evaluate(repeat each input) }
  }
}

extension PredicateExpressions {
  /// The node of a nested predicate or expression.
  public typealias Nested<I: PredicateExpression, Output> = ExpressionEvaluate<
    KeyPath<Value<NestedExpression<I.Output, Output>>, Expression<I.Output, Output>>, I, Output
  >

  /// Expansion of `base[$0]` inside `#Predicate`, for a predicate.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static func build_subscript<I: PredicateExpression>(
    _ predicate: Value<Predicate<I.Output>>, _ input: I
  ) -> Nested<I, Bool> {
    ExpressionEvaluate(
      expression: KeyPath(
        root: Value(NestedExpression(predicate.value)), keyPath: \.expression),
      input: input)
  }

  /// Expansion of `base[$0]` inside `#Predicate`, for an expression.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static func build_subscript<I: PredicateExpression, Output>(
    _ expression: Value<Expression<I.Output, Output>>, _ input: I
  ) -> Nested<I, Output> {
    ExpressionEvaluate(
      expression: KeyPath(
        root: Value(NestedExpression(expression.value)), keyPath: \.expression),
      input: input)
  }
}

/// A captured predicate or expression with a single input, as a value in an enclosing tree.
///
/// Because the nested predicate is a value, the tree consists of Foundation's own nodes and can be printed.
public struct NestedExpression<Input, Output>: Sendable {
  let variable: PredicateExpressions.Variable<Input>
  let body: any StandardPredicateExpression<Output>

  init(_ predicate: Predicate<Input>) where Output == Bool {
    variable = predicate.variable
    body = predicate.expression
  }

  init(_ expression: Expression<Input, Output>) {
    variable = expression.variable
    body = expression.expression
  }

  /// An expression that Foundation evaluates with the same result.
  public var expression: Expression<Input, Output> {
    Expression { NestedNode(nested: self, input: $0) }
  }
}

/// A predicate part for which Foundation requires `Codable`, although the part is never encoded.
protocol NeverCoded: Codable {}

extension NeverCoded {
  /// - Throws: Always: predicates are not decoded.
  public init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "Predicates are not decoded."))
  }

  /// - Throws: Always: predicates are not encoded.
  public func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self, .init(codingPath: encoder.codingPath, debugDescription: "Predicates are not encoded."))
  }
}

extension NestedExpression: NeverCoded {}

private struct NestedNode<I: StandardPredicateExpression, Output>: StandardPredicateExpression, NeverCoded {
  let nested: NestedExpression<I.Output, Output>
  let input: I

  func evaluate(_ bindings: PredicateBindings) throws -> Output {
    var inner = PredicateBindings()
    inner[nested.variable] = try input.evaluate(bindings)
    return try nested.body.evaluate(inner)
  }
}
