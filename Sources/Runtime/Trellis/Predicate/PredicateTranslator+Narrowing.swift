import Foundation

extension PredicateTranslator {
  /// A condition that every match satisfies: of a predicate `a && b && c` without a translation, the
  /// part before the first operand that has none. nil when there is no such part.
  ///
  /// Never a later part: Swift does not come to it for a row an earlier one rejects, or throws for.
  func narrowing<T: PersistentModel>(_ predicate: Predicate<T>) -> SQLFragment? {
    var translation = Translation(self)
    translation.bind(predicate.variable.key, to: .model(root))
    return translation.beginning(of: predicate.expression).sql
  }
}

extension Translation {
  /// What can be translated of a condition, from the left, and whether that is all of it.
  fileprivate mutating func beginning<E: PredicateExpression>(
    of expression: E
  ) -> (sql: SQLFragment?, isWhole: Bool) {
    if let sql = try? heldCondition(expression) { return (sql, true) }
    guard let both = expression as? any PredicateJunction, type(of: both).isConjunction else {
      return (nil, false)
    }
    return beginning(of: both)
  }

  private mutating func beginning<J: PredicateJunction>(
    of both: J
  ) -> (sql: SQLFragment?, isWhole: Bool) {
    let first = beginning(of: both.first)
    guard first.isWhole, let start = first.sql, let more = beginning(of: both.second).sql
    else { return (first.sql, false) }
    return ("\(start) AND \(more)", false)
  }
}
