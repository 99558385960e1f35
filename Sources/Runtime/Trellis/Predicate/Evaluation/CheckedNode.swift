import Foundation

/// A node of a predicate's tree that evaluates itself without stopping the process.
///
/// Foundation's own evaluation stops where an integer does not fit or is divided by zero, and where the
/// bounds of a range are the wrong way round. These do as it does otherwise; a predicate without such
/// a node does not come here.
protocol CheckedNode<Output> {
  associatedtype Output
  func checked(_ bindings: PredicateBindings) throws -> Output
}

extension PredicateExpression {
  /// The value of the node.
  ///
  /// - Throws: ``SwiftDataError/unsupportedPredicate`` where Foundation would stop the process.
  func checkedValue(_ bindings: PredicateBindings) throws -> Output {
    guard let node = self as? any CheckedNode, let value = try node.output(bindings, as: Output.self)
    else { return try evaluate(bindings) }
    return value.value
  }
}

/// A value that may be an optional, so that a cast to it does not look inside.
struct Held<Value> {
  let value: Value
}

extension CheckedNode {
  func output<R>(_ bindings: PredicateBindings, as _: R.Type) throws -> Held<R>? {
    Held(value: try checked(bindings)) as? Held<R>
  }
}

extension PredicateExpressions.Arithmetic: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    let (left, right) = (try lhs.checkedValue(bindings), try rhs.checkedValue(bindings))
    let operation: IntegerOperation =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default: .add
      }
    if let result = try operation.checked(left, right) { return result }
    switch op {
    case .add: return left + right
    case .subtract: return left - right
    case .multiply: return left * right
    @unknown default: return try evaluate(bindings)
    }
  }
}

extension PredicateExpressions.IntDivision: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    let (left, right) = (try lhs.checkedValue(bindings), try rhs.checkedValue(bindings))
    return try IntegerOperation.divide.checked(left, right) ?? left / right
  }
}

extension PredicateExpressions.IntRemainder: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    let (left, right) = (try lhs.checkedValue(bindings), try rhs.checkedValue(bindings))
    return try IntegerOperation.remainder.checked(left, right) ?? left % right
  }
}

extension PredicateExpressions.FloatDivision: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    try lhs.checkedValue(bindings) / rhs.checkedValue(bindings)
  }
}

extension PredicateExpressions.UnaryMinus: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    let value = try wrapped.checkedValue(bindings)
    return try IntegerOperation.subtract.checked(Output.zero, value) ?? -value
  }
}

// MARK: Logic

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

// MARK: Sequences

extension PredicateExpressions.SequenceContains: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Bool {
    try sequence.checkedValue(bindings).contains(element.checkedValue(bindings))
  }
}

extension PredicateExpressions.RangeExpressionContains: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Bool {
    try range.checkedValue(bindings).contains(element.checkedValue(bindings))
  }
}

extension PredicateExpressions.Range: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    let (low, high) = (try lower.checkedValue(bindings), try upper.checkedValue(bindings))
    guard low <= high else { throw PredicateBounds.reversed }
    return low..<high
  }
}

extension PredicateExpressions.ClosedRange: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    let (low, high) = (try lower.checkedValue(bindings), try upper.checkedValue(bindings))
    guard low <= high else { throw PredicateBounds.reversed }
    return low...high
  }
}

extension PredicateExpressions.SequenceContainsWhere: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Bool {
    var inner = bindings
    return try sequence.checkedValue(bindings).contains {
      inner[variable] = $0
      return try test.checkedValue(inner)
    }
  }
}

extension PredicateExpressions.SequenceAllSatisfy: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Bool {
    var inner = bindings
    return try sequence.checkedValue(bindings).allSatisfy {
      inner[variable] = $0
      return try test.checkedValue(inner)
    }
  }
}

extension PredicateExpressions.Filter: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> [LHS.Output.Element] {
    var inner = bindings
    return try sequence.checkedValue(bindings).filter {
      inner[variable] = $0
      return try filter.checkedValue(inner)
    }
  }
}

extension PredicateExpressions.CollectionIndexSubscript: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    let collection = try wrapped.checkedValue(bindings)
    let place = try index.checkedValue(bindings)
    guard place >= collection.startIndex, place < collection.endIndex else { throw PredicateBounds.outside }
    return collection[place]
  }
}

extension PredicateExpressions.CollectionRangeSubscript: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    let collection = try wrapped.checkedValue(bindings)
    let places = try range.checkedValue(bindings)
    guard places.lowerBound >= collection.startIndex, places.upperBound <= collection.endIndex
    else { throw PredicateBounds.outside }
    return collection[places]
  }
}

extension PredicateExpressions.DictionaryKeySubscript: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    try wrapped.checkedValue(bindings)[key.checkedValue(bindings)]
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    try wrapped.checkedValue(bindings)[key.checkedValue(bindings)]
      ?? `default`.checkedValue(bindings)
  }
}

/// What Swift stops for.
private enum PredicateBounds {
  static var reversed: SwiftDataError {
    .unsupportedPredicate.explained("the predicate makes a range whose lower bound is the higher")
  }

  static var outside: SwiftDataError {
    .unsupportedPredicate.explained("the predicate asks for an element beyond the end")
  }
}
