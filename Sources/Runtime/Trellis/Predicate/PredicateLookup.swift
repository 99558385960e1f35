import Foundation

/// Equalities that every match of a predicate satisfies, read off its expression.
///
///     #Predicate<Trip> { $0.name == name && $0.startDate > now }   // one equality: of `name`
struct PredicateLookup {
  /// An attribute of the row and the value it must have.
  private(set) var equalities: [(keyPath: AnyKeyPath, value: Any)] = []

  init<T: PersistentModel>(_ predicate: Predicate<T>) {
    collect(predicate.expression, predicate.variable.key)
  }

  private mutating func collect<E: PredicateExpression>(
    _ expression: E, _ variable: PredicateExpressions.VariableID
  ) {
    if let both = expression as? any PredicateConjunction {
      collect(both.first, variable)
      collect(both.second, variable)
    } else if let equality = expression as? any PredicateEquality,
      let (keyPath, value) = equality.match(of: variable)
    {
      equalities.append((keyPath, value))
    }
  }

  /// The identity a predicate asks for, when it asks for nothing else.
  static func identifier<T: PersistentModel>(of predicate: Predicate<T>) -> PersistentIdentifier? {
    guard let equality = predicate.expression as? any PredicateEquality,
      let (keyPath, value) = equality.match(of: predicate.variable.key),
      let identifier = value as? PersistentIdentifier,
      ModelPaths.of(T.self).isIdentifier(keyPath)
    else { return nil }
    return identifier
  }
}

/// `&&`
private protocol PredicateConjunction {
  associatedtype First: PredicateExpression
  associatedtype Second: PredicateExpression
  var first: First { get }
  var second: Second { get }
}

extension PredicateExpressions.Conjunction: PredicateConjunction {
  var first: LHS { lhs }
  var second: RHS { rhs }
}
