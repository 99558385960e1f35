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
    guard let both = expression as? any Conjunctive else { return (nil, false) }
    return both.beginning(&self)
  }
}

private protocol Conjunctive {
  func beginning(_ translation: inout Translation) -> (sql: SQLFragment?, isWhole: Bool)
}

extension PredicateExpressions.Conjunction: Conjunctive {
  fileprivate func beginning(
    _ translation: inout Translation
  ) -> (sql: SQLFragment?, isWhole: Bool) {
    let first = translation.beginning(of: lhs)
    guard first.isWhole, let start = first.sql, let more = translation.beginning(of: rhs).sql
    else { return (first.sql, false) }
    return ("\(start) AND \(more)", false)
  }
}
