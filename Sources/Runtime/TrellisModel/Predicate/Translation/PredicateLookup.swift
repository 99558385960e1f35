import Foundation

/// Equalities that every matching row satisfies.
///
///     #Predicate<Trip> { $0.name == name && $0.startDate > now }   // one equality: of `name`
package struct PredicateLookup {
  /// The row's attributes and the required values.
  package private(set) var equalities: [(keyPath: AnyKeyPath, value: Any)] = []

  package init<T: PersistentModel>(_ predicate: Predicate<T>) {
    for case .operand(let operand, _) in JunctionRun(conjunction: predicate.expression) {
      guard let match = (operand as? any PredicateComparison)?.match(of: predicate.variable.key), match.order == nil
      else { continue }
      equalities.append((match.keyPath, match.value))
    }
  }

  /// Returns the identifier that a predicate selects; nil if the predicate contains any other condition.
  static func identifier<T: PersistentModel>(of predicate: Predicate<T>) -> PersistentIdentifier? {
    guard let comparison = predicate.expression as? any PredicateComparison,
      let match = comparison.match(of: predicate.variable.key), match.order == nil,
      let identifier = match.value as? PersistentIdentifier,
      ModelPaths.of(T.self).isIdentifier(match.keyPath)
    else { return nil }
    return identifier
  }
}

// MARK: nodes with captured values

/// `==`, `<`, `<=`, `>` or `>=`.
package protocol PredicateComparison: BinaryNode {
  /// Nil for equality.
  var order: Translation.Order? { get }
}

extension PredicateComparison {
  /// Returns the comparison between a row's property and a captured value; nil for other comparisons.
  package func match(of variable: PredicateExpressions.VariableID) -> PredicateMatch? {
    PredicateMatch(lhs, rhs, order, of: variable) ?? PredicateMatch(rhs, lhs, order?.reversed, of: variable)
  }
}

package struct PredicateMatch {
  package let keyPath: AnyKeyPath
  package let value: Any
  /// The order, with the property on the left; nil for equality.
  package let order: Translation.Order?

  fileprivate init?(
    _ property: some PredicateExpression, _ constant: some PredicateExpression, _ order: Translation.Order?,
    of variable: PredicateExpressions.VariableID
  ) {
    guard let keyPath = (property as? any PredicateProperty)?.keyPath(of: variable),
      let value = (constant as? any PredicateConstant)?.captured
    else { return nil }
    (self.keyPath, self.value, self.order) = (keyPath, value, order)
  }
}

/// A test whether a captured collection contains a property's value.
package protocol PredicateMembership {
  func members(of variable: PredicateExpressions.VariableID) -> (keyPath: AnyKeyPath, values: [Any])?
}

extension PredicateExpressions.SequenceContains: PredicateMembership {
  package func members(of variable: PredicateExpressions.VariableID) -> (keyPath: AnyKeyPath, values: [Any])? {
    guard let values = (sequence as? any PredicateConstant)?.captured as? [Any],
      let keyPath = (element as? any PredicateProperty)?.keyPath(of: variable)
    else { return nil }
    return (keyPath, values)
  }
}

/// `!`
package protocol PredicateNegation {
  associatedtype Wrapped: PredicateExpression<Bool>
  var wrapped: Wrapped { get }
}

extension PredicateExpressions.Negation: PredicateNegation {}

/// A key path.
protocol PredicateProperty {
  /// Returns the key path if it begins at the row.
  func keyPath(of variable: PredicateExpressions.VariableID) -> AnyKeyPath?

  /// The captured value at which the key path begins; nil if it begins elsewhere.
  var capturedRoot: Any? { get }
}

extension PredicateExpressions.KeyPath: PredicateProperty {
  func keyPath(of variable: PredicateExpressions.VariableID) -> AnyKeyPath? {
    (root as? PredicateExpressions.Variable<Root.Output>)?.key == variable ? keyPath : nil
  }

  var capturedRoot: Any? { (root as? any PredicateConstant)?.captured }
}

private protocol PredicateConstant {
  var captured: Any { get }
}

extension PredicateExpressions.Value: PredicateConstant {
  fileprivate var captured: Any { value }
}
