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
