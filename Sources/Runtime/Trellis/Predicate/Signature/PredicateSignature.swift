import Foundation

/// Identifies the statements of a predicate: predicates with equal signatures share them.
///
///     #Predicate<Trip> { $0.destination == city }   // one signature, whatever the city, unless it is ""
///
/// The type of an expression spells out its operators and their nesting. The signature adds what the
/// type does not say: key paths, the kinds of comparisons, which variable is read where, and of the
/// captured values everything that changes the text of a statement. Two captured values that are equal
/// in one predicate are equal in all of the signature, so a parameter is found by its value.
struct PredicateSignature: PredicateVisitor {
  let type: any Any.Type
  private(set) var words: [Int] = []
  private(set) var keyPaths: [AnyKeyPath] = []
  /// The captured values as columns store them.
  private(set) var values: [SQLValue] = []
  /// The captured identifier, if it is the only value.
  private(set) var identifier: PersistentIdentifier?
  /// The values that a statement takes as parameters, each by the position of the first equal value.
  private(set) var parameters: [Int] = []
  private var variables: [PredicateExpressions.VariableID]
  /// False when the statement depends on more than the signature.
  private(set) var isComplete = true

  init<T: PersistentModel>(_ predicate: Predicate<T>) {
    let expression = predicate.expression
    type = Swift.type(of: expression)
    variables = [predicate.variable.key]
    words.reserveCapacity(12)
    visit(expression)
  }

  mutating func visitUnknown() { isComplete = false }
  mutating func visitDynamicCall() { isComplete = false }

  mutating func visitVariable(_ key: PredicateExpressions.VariableID) {
    // Each predicate numbers its variables independently: only their order of appearance counts.
    let known = variables.firstIndex(of: key)
    words.append(known ?? variables.count)
    if known == nil { variables.append(key) }
  }

  mutating func visitKeyPath<R: PredicateExpression>(
    _ keyPath: AnyKeyPath, of root: R, value: any Any.Type
  ) {
    keyPaths.append(keyPath)
  }

  mutating func visitOperator(_ number: Int) { words.append(number) }

  mutating func visitCaptured<V>(_ value: V) {
    guard let captured = CapturedValue(value) else { return isComplete = false }
    let position = values.firstIndex { $0.isIdentical(to: captured.value) } ?? values.count
    words.append(captured.kind)
    words.append(position)
    if captured.isParameter { parameters.append(position) }
    identifier = values.isEmpty ? captured.identifier : nil
    values.append(captured.value)
  }

  mutating func enter<I: PredicateExpression>(
    _ key: PredicateExpressions.VariableID, standingFor input: I
  ) {
    // The type of the nested predicate is not part of the type around it.
    isComplete = false
  }
}

extension SQLValue {
  /// Whether a statement that takes one value may take the other: 0 and -0 are equal but not identical.
  func isIdentical(to other: SQLValue) -> Bool {
    if case .real(let number) = self, case .real(let other) = other {
      return number.bitPattern == other.bitPattern
    }
    return self == other
  }
}
