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
  /// The types of the nodes, in the order of the walk.
  private(set) var nodes: [Node]
  private var visitedNodes = 0
  private(set) var words: [Int] = []
  private(set) var keyPaths: [AnyKeyPath] = []
  /// The captured values as columns store them.
  private(set) var values: [SQLValue] = []
  /// The captured identifier, if it is the only value.
  private(set) var identifier: PersistentIdentifier?
  /// The values that a statement takes as parameters, each by the position of the first equal value.
  private(set) var parameters: [Int] = []
  private let row: PredicateExpressions.VariableID
  var level = 0
  /// A deeper predicate is composed by a program, hardly ever twice.
  static let maximumLevel = 100
  /// The variables of nested closures, in order of appearance.
  private var variables: [PredicateExpressions.VariableID] = []
  /// False when the statement depends on more than the signature.
  private(set) var isComplete = true

  /// A node type that was looked up: the search for a conformance takes longer than the rest of the walk.
  struct Node: Sendable {
    let type: ObjectIdentifier
    let node: any SQLNode.Type
  }

  /// - Parameter nodes: the types of the nodes, if they are known from another predicate with an expression of this type.
  init<E: PredicateExpression>(_ expression: E, of row: PredicateExpressions.VariableID, nodes: [Node]) {
    self.nodes = nodes
    self.row = row
    words.reserveCapacity(12)
    keyPaths.reserveCapacity(2)
    visit(expression)
  }

  mutating func node(_ type: any Any.Type) -> (any SQLNode.Type)? {
    let position = visitedNodes
    visitedNodes += 1
    if position < nodes.count, nodes[position].type == ObjectIdentifier(type) { return nodes[position].node }
    guard let node = type as? any SQLNode.Type else { return nil }
    if position == nodes.count { nodes.append(Node(type: ObjectIdentifier(type), node: node)) }
    return node
  }

  mutating func visitUnknown() { isComplete = false }
  mutating func visitDynamicCall() { isComplete = false }

  mutating func visitVariable(_ key: PredicateExpressions.VariableID) {
    // Each predicate numbers its variables independently: only their order of appearance counts.
    guard key != row else { return words.append(0) }
    let known = variables.firstIndex(of: key)
    words.append(1 + (known ?? variables.count))
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
