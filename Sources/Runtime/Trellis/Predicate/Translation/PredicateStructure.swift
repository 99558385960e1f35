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
      let wrapped = wrappedType(of: value)
      if wrapped is any ModelArray.Type { crossesRelationships = true }
      if wrapped is any PersistentModel.Type { readsReferences = true }
    } else if !ModelPaths.of(model).isIdentifier(keyPath) {
      crossesRelationships = true
    }
  }
}

/// Visits the nodes of a predicate from the root to the leaves.
///
/// Each node reports its parts in one order (``SQLNode/inspect(_:)``), so all visitors see the same
/// sequence.
protocol PredicateVisitor {
  /// The number of nodes around the current one.
  var level: Int { get set }

  /// The level beyond which a node counts as unknown.
  static var maximumLevel: Int { get }

  /// The type of a node as a node with a translation; nil if it has none.
  mutating func node(_ type: any Any.Type) -> (any SQLNode.Type)?

  /// A node of an unknown type, which may read anything.
  mutating func visitUnknown()

  /// A node that chooses an operation by a value that the other methods do not report.
  mutating func visitDynamicCall()

  mutating func visitVariable(_ key: PredicateExpressions.VariableID)

  /// The operands of `&&` or `||`.
  mutating func visitJunction(_ junction: some PredicateJunction)

  /// A property of the value of `root`.
  mutating func visitKeyPath<R: PredicateExpression>(
    _ keyPath: AnyKeyPath, of root: R, value: any Any.Type)

  mutating func visitCaptured<V>(_ value: V)

  mutating func visitOperator(_ number: Int)

  /// Arithmetic over values of a type.
  mutating func visitComputation(of type: any Any.Type)

  /// A range, or an element by its position.
  mutating func visitBounds()

  /// The variable of a nested predicate, which stands for its input.
  mutating func enter<I: PredicateExpression>(
    _ key: PredicateExpressions.VariableID, standingFor input: I)
}

extension PredicateVisitor {
  mutating func visit<E: PredicateExpression>(_ expression: E) {
    let weight = PredicateDepth.weight(of: E.self)
    level += weight
    defer { level -= weight }
    guard level <= Self.maximumLevel, let type = node(E.self) else { return visitUnknown() }
    type.inspect(expression, &self)
  }

  mutating func visit<L: PredicateExpression, R: PredicateExpression>(_ lhs: L, _ rhs: R) {
    visit(lhs)
    visit(rhs)
  }

  /// A closure that is called with values of a node.
  mutating func visit<I: PredicateExpression, T, B: PredicateExpression>(
    _ input: I, _ variable: PredicateExpressions.Variable<T>, _ body: B
  ) {
    visit(input)
    visitVariable(variable.key)
    visit(body)
  }

  mutating func node(_ type: any Any.Type) -> (any SQLNode.Type)? { type as? any SQLNode.Type }
  mutating func visitDynamicCall() {}
  mutating func visitJunction(_ junction: some PredicateJunction) { visit(junction.first, junction.second) }
  mutating func visitVariable(_ key: PredicateExpressions.VariableID) {}
  mutating func visitCaptured<V>(_ value: V) {}
  mutating func visitOperator(_ number: Int) {}
  mutating func visitComputation(of type: any Any.Type) {}
  mutating func visitBounds() {}
}

extension SQLNode {
  // A node holds its whole subtree, so the call does not put it into an existential, which would copy it.
  static func inspect<E>(_ expression: E, _ visitor: inout some PredicateVisitor) {
    withUnsafePointer(to: expression) {
      UnsafeRawPointer($0).assumingMemoryBound(to: Self.self).pointee.inspect(&visitor)
    }
  }
}
