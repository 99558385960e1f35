import Foundation

extension PredicateExpressions.Conjunction: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Bool { try JunctionRun(self).checkedValue(bindings) }
}

extension PredicateExpressions.Disjunction: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Bool { try JunctionRun(self).checkedValue(bindings) }
}

extension PredicateExpressions.Negation: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Bool {
    try !wrapped.checkedValue(bindings)
  }
}

extension PredicateExpressions.Conditional: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    try test.checkedValue(bindings)
      ? trueBranch.checkedValue(bindings) : falseBranch.checkedValue(bindings)
  }
}

extension PredicateExpressions.Equal: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Bool {
    try lhs.checkedValue(bindings) == rhs.checkedValue(bindings)
  }
}

extension PredicateExpressions.NotEqual: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Bool {
    try lhs.checkedValue(bindings) != rhs.checkedValue(bindings)
  }
}

extension PredicateExpressions.Comparison: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Bool {
    let (left, right) = (try lhs.checkedValue(bindings), try rhs.checkedValue(bindings))
    switch op {
    case .lessThan: return left < right
    case .lessThanOrEqual: return left <= right
    case .greaterThan: return left > right
    case .greaterThanOrEqual: return left >= right
    @unknown default: return try evaluate(bindings)
    }
  }
}

extension PredicateExpressions.NilCoalesce: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> RHS.Output {
    guard let value = try lhs.checkedValue(bindings) else { return try rhs.checkedValue(bindings) }
    return value
  }
}

extension PredicateExpressions.OptionalFlatMap: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    guard let value = try wrapped.checkedValue(bindings) else { return nil }
    var inner = bindings
    inner[variable] = value
    // The closure's value is the output itself or, of `a.map { … }`, what the output wraps.
    let result = Held(value: try transform.checkedValue(inner))
    if let output = result as? Held<Output> { return output.value }
    return (result as? Held<Result>)?.value
  }
}

extension PredicateExpressions.ForcedUnwrap: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    guard let value = try inner.checkedValue(bindings) else { return try evaluate(bindings) }
    return value
  }
}

extension PredicateExpressions.KeyPath: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    try root.checkedValue(bindings)[keyPath: keyPath]
  }
}
