import Foundation

// What a predicate's nodes say of captured values, for code that asks before there is a statement.

/// `==`, `<`, `<=`, `>` or `>=`.
protocol PredicateComparison {
  /// A property of the row that is compared with a captured value; nil for other comparisons.
  func match(of variable: PredicateExpressions.VariableID) -> PredicateMatch?
}

struct PredicateMatch {
  let keyPath: AnyKeyPath
  let value: Any
  /// The order, with the property on its left; nil for equality.
  let order: Translation.Order?

  fileprivate init?<L: PredicateExpression, R: PredicateExpression>(
    _ lhs: L, _ rhs: R, _ order: Translation.Order?, of variable: PredicateExpressions.VariableID
  ) {
    if let property = lhs as? any PredicateProperty, let value = rhs as? any PredicateConstant {
      guard let keyPath = property.keyPath(of: variable) else { return nil }
      (self.keyPath, self.value, self.order) = (keyPath, value.captured, order)
    } else if let property = rhs as? any PredicateProperty, let value = lhs as? any PredicateConstant {
      guard let keyPath = property.keyPath(of: variable) else { return nil }
      (self.keyPath, self.value, self.order) = (keyPath, value.captured, order?.reversed)
    } else {
      return nil
    }
  }
}

extension PredicateExpressions.Equal: PredicateComparison {
  func match(of variable: PredicateExpressions.VariableID) -> PredicateMatch? {
    PredicateMatch(lhs, rhs, nil, of: variable)
  }
}

extension PredicateExpressions.Comparison: PredicateComparison {
  func match(of variable: PredicateExpressions.VariableID) -> PredicateMatch? {
    PredicateMatch(lhs, rhs, Translation.Order(op), of: variable)
  }
}

/// A captured collection that contains a property.
protocol PredicateMembership {
  func members(of variable: PredicateExpressions.VariableID) -> (keyPath: AnyKeyPath, values: [Any])?
}

extension PredicateExpressions.SequenceContains: PredicateMembership {
  func members(of variable: PredicateExpressions.VariableID) -> (keyPath: AnyKeyPath, values: [Any])? {
    guard let values = (sequence as? any PredicateConstant)?.captured as? [Any],
      let keyPath = (element as? any PredicateProperty)?.keyPath(of: variable)
    else { return nil }
    return (keyPath, values)
  }
}

/// `!`
protocol PredicateNegation {
  associatedtype Operand: PredicateExpression<Bool>
  var operand: Operand { get }
}

extension PredicateExpressions.Negation: PredicateNegation {
  var operand: Wrapped { wrapped }
}

private protocol PredicateProperty {
  func keyPath(of variable: PredicateExpressions.VariableID) -> AnyKeyPath?
}

extension PredicateExpressions.KeyPath: PredicateProperty {
  fileprivate func keyPath(of variable: PredicateExpressions.VariableID) -> AnyKeyPath? {
    (root as? PredicateExpressions.Variable<Root.Output>)?.key == variable ? keyPath : nil
  }
}

private protocol PredicateConstant {
  var captured: Any { get }
}

extension PredicateExpressions.Value: PredicateConstant {
  fileprivate var captured: Any { value }
}

/// Equalities that every match of a predicate satisfies.
///
///     #Predicate<Trip> { $0.name == name && $0.startDate > now }   // one equality: of `name`
struct PredicateLookup {
  /// An attribute of the row and the value it must have.
  private(set) var equalities: [(keyPath: AnyKeyPath, value: Any)] = []

  init<T: PersistentModel>(_ predicate: Predicate<T>) {
    for case .operand(let operand, _) in JunctionRun(conjunction: predicate.expression) {
      guard let match = (operand as? any PredicateComparison)?.match(of: predicate.variable.key), match.order == nil
      else { continue }
      equalities.append((match.keyPath, match.value))
    }
  }

  /// The identity a predicate asks for, if it asks for nothing else.
  static func identifier<T: PersistentModel>(of predicate: Predicate<T>) -> PersistentIdentifier? {
    guard let comparison = predicate.expression as? any PredicateComparison,
      let match = comparison.match(of: predicate.variable.key), match.order == nil,
      let identifier = match.value as? PersistentIdentifier,
      ModelPaths.of(T.self).isIdentifier(match.keyPath)
    else { return nil }
    return identifier
  }
}
