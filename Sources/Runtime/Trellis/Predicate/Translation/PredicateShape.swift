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
  /// Whether temporary identifiers are captured.
  private(set) var capturesTemporaryIdentifiers = false
  /// The number of nodes inside each other; the greatest integer if the visit did not reach all of them.
  private(set) var depth = 0
  /// The nodes around the current one that the visit does not recurse into.
  private var skipped = 0
  var level = 0
  static let maximumLevel = PredicateDepth.maximum
  /// The variables that stand for the row itself.
  private var variables: Set<PredicateExpressions.VariableID>

  init<T>(_ predicate: Predicate<T>) {
    variables = [predicate.variable.key]
    visit(predicate.expression)
  }

  /// The shape of a predicate's part, which has no row.
  init(_ expression: any PredicateExpression) {
    variables = []
    visit(expression)
  }

  mutating func node(_ type: any Any.Type) -> (any SQLNode.Type)? {
    depth = max(depth, level + skipped)
    return type as? any SQLNode.Type
  }

  mutating func visitUnknown() {
    crossesRelationships = true
    isOpaque = true
    // Inside of a node that is too deep may be anything.
    if level > Self.maximumLevel { (depth, needsChecks, capturesTemporaryIdentifiers) = (.max, true, true) }
  }

  mutating func visitJunction(_ junction: some PredicateJunction) {
    let outer = skipped
    defer { skipped = outer }
    for step in JunctionRun(junction) {
      switch step {
      case .operand(let operand, let depth):
        skipped = outer + depth - 1
        visit(operand)
      case .enter(let nested): (nested as? any NestedCall)?.inspectInput(&self)
      case .leave: break
      }
    }
  }

  mutating func enter<I: PredicateExpression>(
    _ key: PredicateExpressions.VariableID, standingFor input: I
  ) {
    if let own = input as? PredicateExpressions.Variable<I.Output>, variables.contains(own.key) {
      variables.insert(key)
    } else {
      variables.remove(key)
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
