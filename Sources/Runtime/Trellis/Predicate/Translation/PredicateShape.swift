import Foundation

/// What a context has to know of a predicate before it asks a store.
struct PredicateShape: PredicateVisitor {
  /// Whether the answer depends on values of other rows, so that pending changes there matter.
  private(set) var crossesRelationships = false
  /// Whether a to-one relationship of the row itself is read: it is nil when its target is deleted.
  private(set) var readsReferences = false
  /// The properties of models that are read, in rows of the tested model and of any other.
  private(set) var reads: [(model: any PersistentModel.Type, keyPath: AnyKeyPath)] = []
  /// True if a part of the predicate cannot be inspected and may read anything.
  private(set) var isOpaque = false
  /// Whether something is computed that Foundation does not always survive: whole numbers, ranges
  /// and elements by position.
  private(set) var needsChecks = false
  /// Whether identifiers are captured that were read before the first save of their models.
  private(set) var capturesTemporaryIdentifiers = false
  /// The variables that stand for the row itself.
  private var variables: [PredicateExpressions.VariableID]

  init<T>(_ predicate: Predicate<T>) {
    variables = [predicate.variable.key]
    visit(predicate.expression)
  }

  mutating func visitUnknown() {
    crossesRelationships = true
    isOpaque = true
  }

  mutating func enter<I: PredicateExpression>(
    _ key: PredicateExpressions.VariableID, standingFor input: I
  ) {
    if let own = input as? PredicateExpressions.Variable<I.Output>, variables.contains(own.key) {
      variables.append(key)
    } else {
      variables.removeAll { $0 == key }
    }
  }

  mutating func visitComputation(of type: any Any.Type) {
    if type is any FixedWidthInteger.Type { needsChecks = true }
  }

  mutating func visitBounds() { needsChecks = true }

  mutating func visitCaptured<V>(_ value: V) {
    if CapturedIdentifiers.holdsTemporary(value) { capturesTemporaryIdentifiers = true }
  }

  mutating func visitKeyPath<R: PredicateExpression>(
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

/// A predicate evaluated in memory: over models, over transactions of a history.
package struct MemoryFilter<T> {
  private let predicate: Predicate<T>
  private let isChecked: Bool
  private let identifiers: CapturedIdentifiers?

  package init(_ predicate: Predicate<T>) { self.init(predicate, nil) }

  /// - Parameter identifiers: replaces captured identifiers; nil if none needs to be replaced.
  init(_ predicate: Predicate<T>, _ identifiers: CapturedIdentifiers?) {
    self.predicate = predicate
    let shape = PredicateShape(predicate)
    self.identifiers = shape.capturesTemporaryIdentifiers ? identifiers : nil
    isChecked = shape.needsChecks || self.identifiers != nil
  }

  package func matches(_ model: T) throws -> Bool {
    guard isChecked else { return try predicate.evaluate(model) }
    guard let identifiers else { return try checked(model) }
    return try CapturedIdentifiers.$scope.withValue(identifiers) { try checked(model) }
  }

  private func checked(_ model: T) throws -> Bool {
    var bindings = PredicateBindings()
    bindings[predicate.variable] = model
    return try predicate.expression.checkedValue(bindings)
  }
}
