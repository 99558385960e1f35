import Foundation

extension PredicateExpressions.ExpressionEvaluate: SQLNode, NestedCallNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    if let call = nestedCall { return try call.term(&translation) }
    guard let term = try localizedTerm(&translation) else {
      throw Untranslatable("expressions are evaluated in memory")
    }
    return term
  }

  package func condition(_ translation: inout Translation) throws -> SQLTerm {
    try nestedCall?.condition(&translation) ?? term(&translation)
  }

  package func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] {
    try nestedCall?.presences(when: outcome, &translation) ?? []
  }

  package func inspect(_ shape: inout PredicateShape) {
    shape.visitDynamicCall()
    if let call = nestedCall { return call.inspect(&shape) }
    for part in repeat each input { shape.visit(part) }
  }

  package func checked(_ bindings: PredicateBindings) throws -> Output {
    try (nestedCall as? any NestedCall<Output>)?.checked(bindings) ?? evaluate(bindings)
  }

  /// The captured value whose function is called.
  var calledFunction: Any? { (expression as? any PredicateProperty)?.capturedRoot }

  var nestedCall: (any NestedCall)? {
    guard let nested = calledFunction as? any AnyNestedExpression else { return nil }
    var call: (any NestedCall)?
    for part in repeat each input {
      if call == nil { call = nested.call(part) }
    }
    return call
  }
}

private struct NestedApplication<I: PredicateExpression, Output>: NestedCall {
  let nested: NestedExpression<I.Output, Output>
  let input: I

  package func term(_ translation: inout Translation) throws -> SQLTerm {
    try applied(&translation) { try $0.term($1) }
  }

  package func condition(_ translation: inout Translation) throws -> SQLTerm {
    try applied(&translation) { .scalar(try $0.scalar($0.term($1, asCondition: true))) }
  }

  package func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] {
    try applied(&translation) { try $0.presences($1, outcome) }
  }

  /// Translates the body with the variable bound to the input.
  private func applied<R>(
    _ translation: inout Translation,
    _ body: (inout Translation, any StandardPredicateExpression<Output>) throws -> R
  ) throws -> R {
    try translation.inScope {
      try enter(&$0)
      return try body(&$0, nested.body)
    }
  }

  package var condition: (any PredicateExpression<Bool>)? { nested.body as? any PredicateExpression<Bool> }

  func enter(_ translation: inout Translation) throws {
    let term = try translation.term(input)
    if case .constant(let constant) = term, let value = constant.value as? I.Output {
      translation.captured[nested.variable] = value
    }
    translation.bind(nested.variable.key, to: term)
  }

  package func inspect(_ shape: inout PredicateShape) {
    inspectInput(&shape)
    shape.visit(nested.body)
  }

  func inspectInput(_ shape: inout PredicateShape) { shape.enter(nested.variable.key, standingFor: input) }

  func bindings(_ outer: PredicateBindings) throws -> PredicateBindings {
    var inner = PredicateBindings()
    inner[nested.variable] = try input.checkedValue(outer)
    return inner
  }

  func evaluate(_ bindings: PredicateBindings) throws -> Output { try checked(bindings) }

  package func checked(_ bindings: PredicateBindings) throws -> Output {
    try nested.body.checkedValue(self.bindings(bindings))
  }
}

private protocol AnyNestedExpression {
  func call<I: PredicateExpression>(_ input: I) -> (any NestedCall)?
}

extension NestedExpression: AnyNestedExpression {
  fileprivate func call<I: PredicateExpression>(_ input: I) -> (any NestedCall)? {
    guard let nested = self as? NestedExpression<I.Output, Output> else { return nil }
    return NestedApplication(nested: nested, input: input)
  }
}
