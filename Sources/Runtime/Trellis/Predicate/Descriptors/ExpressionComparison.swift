import Foundation

/// Compares two predicate expressions: nodes by type, then by key paths and captured values.
///
/// The type of an expression spells its shape out, so only the leaves are left to compare.
struct ExpressionComparison {
  private var variables: [PredicateExpressions.VariableID: PredicateExpressions.VariableID] = [:]

  mutating func areEqual(_ lhs: Any, _ rhs: Any) -> Bool {
    guard type(of: lhs) == type(of: rhs) else { return false }
    if let lhs = lhs as? PredicateExpressions.VariableID,
      let rhs = rhs as? PredicateExpressions.VariableID
    {
      // Each predicate numbers its own variables: what matters is where they return.
      if let known = variables[lhs] { return known == rhs }
      variables[lhs] = rhs
      return true
    }
    if let lhs = lhs as? any Equatable { return Self.equal(lhs, rhs) }
    let (left, right) = (Mirror(reflecting: lhs), Mirror(reflecting: rhs))
    if left.displayStyle == .class { return (lhs as AnyObject) === (rhs as AnyObject) }
    guard left.children.count == right.children.count else { return false }
    if left.children.isEmpty { return isEmpty(lhs) }
    for (lhs, rhs) in zip(left.children, right.children)
    where !areEqual(lhs.value, rhs.value) { return false }
    return true
  }

  private static func equal<E: Equatable>(_ lhs: E, _ rhs: Any) -> Bool { lhs == (rhs as? E) }

  /// Whether there is nothing in the value to compare.
  private func isEmpty(_ value: Any) -> Bool {
    func open<T>(_: T) -> Bool { MemoryLayout<T>.size == 0 }
    return _openExistential(value, do: open)
  }
}
