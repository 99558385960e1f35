import Foundation

/// What a context has to know of a predicate before it asks a store.
struct PredicateShape {
  /// A predicate that at most one row can match.
  enum Lookup {
    case identifier(PersistentIdentifier)
    /// An attribute equal to a captured value; whether it is unique, the schema knows.
    case attribute(AnyKeyPath, Any)
  }

  /// Whether the answer depends on values of other rows, so that pending changes there matter.
  private(set) var crossesRelationships = false
  /// Whether a to-one relationship of the row itself is read: it is nil when its target is deleted.
  private(set) var readsReferences = false
  private(set) var lookup: Lookup?
  /// The properties of models that are read, in rows of the tested model and of any other.
  private(set) var reads: [(model: any PersistentModel.Type, keyPath: AnyKeyPath)] = []
  /// Whether there is a part nobody can look into, which may read anything.
  private(set) var isOpaque = false
  /// Whether something is computed that Foundation does not always survive: whole numbers, ranges
  /// and elements by position.
  private(set) var needsChecks = false
  /// The variables that stand for the row itself.
  private var variables: [PredicateExpressions.VariableID]

  /// Of a predicate over anything: what follows from it being a model is left out.
  init<T>(of predicate: Predicate<T>) {
    variables = [predicate.variable.key]
    inspect(predicate.expression)
  }

  init<T: PersistentModel>(_ predicate: Predicate<T>) {
    self.init(of: predicate)
    guard let equality = predicate.expression as? any PredicateEquality,
      let (keyPath, value) = equality.match(of: predicate.variable.key)
    else { return }
    if ModelPaths.of(T.self).isIdentifier(keyPath) {
      lookup = (value as? PersistentIdentifier).map { .identifier($0) }
    } else {
      lookup = .attribute(keyPath, value)
    }
  }

  private mutating func inspect<E: PredicateExpression>(_ expression: E) { visit(expression) }

  mutating func visit<E: PredicateExpression>(_ expression: E) {
    guard let node = expression as? any SQLNode else {
      crossesRelationships = true
      isOpaque = true
      return
    }
    node.inspect(&self)
  }

  /// The variable of a nested predicate stands for its input.
  mutating func enter<I: PredicateExpression>(
    _ key: PredicateExpressions.VariableID, standingFor input: I
  ) {
    if let own = input as? PredicateExpressions.Variable<I.Output>, variables.contains(own.key) {
      variables.append(key)
    } else {
      variables.removeAll { $0 == key }
    }
  }

  mutating func noteComputation(of type: any Any.Type) {
    if type is any FixedWidthInteger.Type { needsChecks = true }
  }

  mutating func noteBounds() { needsChecks = true }

  /// A property is read: a list, or something of a row that is not the one tested.
  mutating func note<R: PredicateExpression>(
    _ keyPath: AnyKeyPath, of root: R, value: any Any.Type
  ) {
    guard let model = R.Output.self as? any PersistentModel.Type else { return }
    reads.append((model, keyPath))
    if let own = root as? PredicateExpressions.Variable<R.Output>, variables.contains(own.key) {
      let wrapped = (value as? any OptionalValue.Type)?.wrappedType ?? value
      if wrapped is any ModelArray.Type { crossesRelationships = true }
      if wrapped is any PersistentModel.Type { readsReferences = true }
    } else if !ModelPaths.of(model).isIdentifier(keyPath) {
      crossesRelationships = true
    }
  }
}

/// `==` between a property of the row and a captured value.
protocol PredicateEquality {
  func match(of variable: PredicateExpressions.VariableID) -> (AnyKeyPath, Any)?
}

extension PredicateExpressions.Equal: PredicateEquality {
  func match(of variable: PredicateExpressions.VariableID) -> (AnyKeyPath, Any)? {
    if let property = lhs as? any PredicateProperty, let value = rhs as? any PredicateConstant {
      return property.keyPath(of: variable).map { ($0, value.captured) }
    }
    if let property = rhs as? any PredicateProperty, let value = lhs as? any PredicateConstant {
      return property.keyPath(of: variable).map { ($0, value.captured) }
    }
    return nil
  }
}

private protocol PredicateProperty {
  func keyPath(of variable: PredicateExpressions.VariableID) -> AnyKeyPath?
}

extension PredicateExpressions.KeyPath: PredicateProperty {
  func keyPath(of variable: PredicateExpressions.VariableID) -> AnyKeyPath? {
    (root as? PredicateExpressions.Variable<Root.Output>)?.key == variable ? keyPath : nil
  }
}

private protocol PredicateConstant {
  var captured: Any { get }
}

extension PredicateExpressions.Value: PredicateConstant {
  var captured: Any { value }
}
