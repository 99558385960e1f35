import Foundation

extension PredicateExpressions.OptionalFlatMap: SQLNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    let term = try translation.term(wrapped)
    if let value = term.value {
      let result = try translation.scoped(variable.key, to: term.replacing(value.unwrapped(as: variable.key))) {
        try $0.term(transform)
      }
      return try translation.unlessNil(value, variable.key, result)
    }
    var inner = term
    if case .constant(let constant) = term {
      guard let value = constant.unwrapped as? Wrapped else {
        return .constant(ConstantTerm(value: Output.none as Any, type: Output.self))
      }
      translation.captured[variable] = value
      inner = .constant(ConstantTerm(value: value, type: Wrapped.self))
    }
    let result = try translation.scoped(variable.key, to: inner) { try $0.term(transform) }
    // The closure may return the optional's value.
    guard case .constant(let constant) = result, RHS.Output.self == Result.self, let value = constant.value as? Result
    else { return result }
    return .constant(ConstantTerm(value: Output.some(value) as Any, type: Output.self))
  }

  /// NULL counts as false here, so the test can be an ordinary term.
  package func condition(_ translation: inout Translation) throws -> SQLTerm {
    let term = try translation.term(wrapped)
    guard let value = term.value else { return try self.term(&translation) }
    var result = try translation.scoped(variable.key, to: term.replacing(value.unwrapped(as: variable.key))) {
      try $0.condition(transform)
    }
    if result.nilSource != variable.key {
      result = .condition("\(value.held(.atom)) IS NOT NULL AND \(result.held(.and))", .and)
    }
    result.isOptional = true
    result.nilSource = nil
    return .scalar(result)
  }

  package func inspect(_ shape: inout PredicateShape) { shape.visit(wrapped, variable, transform) }

  package func checked(_ bindings: PredicateBindings) throws -> Output {
    guard let value = try wrapped.checkedValue(bindings) else { return nil }
    var inner = bindings
    inner[variable] = value
    // The closure's value is the output itself, or the wrapped output for `a.map { … }`.
    let result = Held(value: try transform.checkedValue(inner))
    if let output = result as? Held<Output> { return output.value }
    return (result as? Held<Result>)?.value
  }
}

/// Wraps a value that may be optional, so that casts do not unwrap it.
private struct Held<Value> {
  let value: Value
}

extension PredicateExpressions.NilCoalesce: BinaryNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    let left = try translation.term(lhs)
    if case .constant(let constant) = left {
      // For a nested optional, only the outer optional matters.
      guard let optional = constant.value as? any OptionalValue else { return left }
      guard let value = optional.wrappedValue else { return try translation.term(rhs) }
      return .constant(ConstantTerm(value: value, type: RHS.Output.self))
    }
    if case .list = left { return left }
    let right = try translation.term(rhs)
    guard case .model = left, let first = left.value, let second = right.value else {
      let (first, second) = try translation.operands(left, right)
      return first.isOptional ? .scalar(Self.coalesced(first, second)) : left
    }
    return left.replacing(Self.coalesced(first, second))
  }

  private static func coalesced(_ first: ScalarTerm, _ second: ScalarTerm) -> ScalarTerm {
    var result = first.computed("COALESCE(\(first.sql), \(second.sql))")
    result.isOptional = second.isOptional
    result.isIrregular = first.isIrregular || second.isIrregular
    result.nilSource = nil
    return result
  }

  /// Omits `?? false`, which is redundant where NULL counts as false and would prevent index use.
  package func condition(_ translation: inout Translation) throws -> SQLTerm {
    guard let node = rhs as? PredicateExpressions.Value<Bool>, !node.value else {
      return try term(&translation)
    }
    let term = try translation.term(lhs, asCondition: true)
    if case .constant(let constant) = term, constant.unwrapped == nil {
      return .constant(ConstantTerm(value: false, type: Bool.self))
    }
    return term
  }

  package func checked(_ bindings: PredicateBindings) throws -> RHS.Output {
    try lhs.checkedValue(bindings) ?? rhs.checkedValue(bindings)
  }
}

extension PredicateExpressions.ForcedUnwrap: SQLNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    let term = try translation.term(inner)
    if case .constant(let constant) = term, let value = constant.unwrapped {
      return .constant(ConstantTerm(value: value, type: Output.self))
    }
    if case .list = term { return term }
    guard var value = term.value, !value.isOptional || translation.isPresent(value.sql) else {
      // Swift throws if the row has no value. SQL must not continue silently.
      throw Untranslatable("a force-unwrapped value may be nil; test it for nil first, or use ?.")
    }
    value.isOptional = false
    return term.replacing(value)
  }

  package func inspect(_ shape: inout PredicateShape) { shape.visit(inner) }

  package func checked(_ bindings: PredicateBindings) throws -> Output {
    guard let value = try inner.checkedValue(bindings) else { return try evaluate(bindings) }
    return value
  }
}

extension ScalarTerm {
  /// Returns the value as seen by a closure that runs only if the value is not nil.
  fileprivate func unwrapped(as variable: PredicateExpressions.VariableID) -> ScalarTerm {
    var value = self
    value.isOptional = false
    value.nilSource = variable
    return value
  }
}

extension Translation {
  /// Returns the result of a closure over an optional: nil if the optional is nil, regardless of the closure's result.
  fileprivate func unlessNil(
    _ wrapped: ScalarTerm, _ variable: PredicateExpressions.VariableID, _ result: SQLTerm
  ) throws -> SQLTerm {
    if case .list = result { throw Untranslatable("a to-many relationship of an optional model is read in memory") }
    var value = try result.value ?? scalar(result)
    if value.nilSource != variable {
      value = value.computed("CASE WHEN \(wrapped.held(.atom)) IS NOT NULL THEN \(value.sql) END")
    }
    value.isOptional = true
    value.nilSource = wrapped.nilSource
    return result.replacing(value)
  }
}
