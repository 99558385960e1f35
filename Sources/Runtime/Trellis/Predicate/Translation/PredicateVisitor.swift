import Foundation

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
