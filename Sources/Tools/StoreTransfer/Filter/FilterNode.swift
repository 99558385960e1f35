import Foundation
import Trellis

/// A node in a filter's expression tree, generic over the result type only.
///
///     $0.tags.count > 3   // FilterNode<Bool> of Comparison<FilterNode<Int>, FilterNode<Int>>
///
/// Foundation's nodes are generic over all operand types, which a compiler infers but which cannot be determined
/// statically for text. This node wraps any node with the given result type and forwards all calls, so that the runtime
/// translates and evaluates a filter exactly like a predicate from `#Predicate`. It also limits the number of generic
/// types created at run time, which are never freed.
struct FilterNode<Value>: StandardPredicateExpression, SQLNode {
  private let content: FilterContent<Value>

  init<Node: SQLNode>(_ node: Node) where Node.Output == Value { content = NodeContent(node) }

  func term(_ translation: inout Translation) throws -> SQLTerm { try content.term(&translation) }
  func condition(_ translation: inout Translation) throws -> SQLTerm { try content.condition(&translation) }
  func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] {
    try content.presences(when: outcome, &translation)
  }
  func inspect(_ shape: inout PredicateShape) { content.inspect(&shape) }
  func checked(_ bindings: PredicateBindings) throws -> Value { try content.checked(bindings) }
  func evaluate(_ bindings: PredicateBindings) throws -> Value { try content.checked(bindings) }
}

/// Foundation requires `Codable`, although filters are never encoded.
extension FilterNode {
  init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "Filters are read from text."))
  }

  func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self, .init(codingPath: encoder.codingPath, debugDescription: "Filters are not encoded."))
  }
}

extension FilterNode where Value == Bool {
  /// The wrapped node if it is `&&` or `||`, because the runtime inspects the operands.
  var operand: any StandardPredicateExpression<Bool> { content.junction ?? self }
}

/// A type-erased node.
private class FilterContent<Value>: @unchecked Sendable {  // never written
  // Abstract: `NodeContent` overrides all members.
  var junction: (any StandardPredicateExpression<Bool>)? { nil }
  func term(_ translation: inout Translation) throws -> SQLTerm { throw Untranslatable("there is no expression") }
  func condition(_ translation: inout Translation) throws -> SQLTerm { try term(&translation) }
  func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] { [] }
  func inspect(_ shape: inout PredicateShape) {}
  func checked(_ bindings: PredicateBindings) throws -> Value { throw Untranslatable("there is no expression") }
}

private final class NodeContent<Node: SQLNode>: FilterContent<Node.Output>, @unchecked Sendable {
  private let node: Node

  init(_ node: Node) { self.node = node }

  override var junction: (any StandardPredicateExpression<Bool>)? {
    node is any PredicateJunction ? node as? any StandardPredicateExpression<Bool> : nil
  }
  override func term(_ translation: inout Translation) throws -> SQLTerm { try node.term(&translation) }
  override func condition(_ translation: inout Translation) throws -> SQLTerm { try node.condition(&translation) }
  override func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] {
    try node.presences(when: outcome, &translation)
  }
  override func inspect(_ shape: inout PredicateShape) { node.inspect(&shape) }
  override func checked(_ bindings: PredicateBindings) throws -> Node.Output { try node.checked(bindings) }
}

// MARK: variables and properties

/// A closure's variable. Foundation creates it with the node that calls the closure, after the body has been read.
final class FilterVariable<Value>: @unchecked Sendable {  // written once, before the tree is used
  private(set) var variable = PredicateExpressions.Variable<Value>()

  /// Stores the variable that Foundation created, and returns the closure's body.
  func enter<Body>(_ created: PredicateExpressions.Variable<Value>, _ body: FilterNode<Body>) -> FilterNode<Body> {
    variable = created
    return body
  }

  var node: FilterNode<Value> { FilterNode(VariableNode(slot: self)) }
}

private struct VariableNode<Value>: SQLNode {
  let slot: FilterVariable<Value>

  func term(_ translation: inout Translation) throws -> SQLTerm { try slot.variable.term(&translation) }
  func inspect(_ shape: inout PredicateShape) { slot.variable.inspect(&shape) }
  func evaluate(_ bindings: PredicateBindings) throws -> Value { try slot.variable.evaluate(bindings) }
}

/// A row's property. SQL translation uses the key path; in memory, the value is read from the row, which can fail.
struct PropertyNode<Value: FilterValue>: SQLNode {
  private let row: FilterNode<FilterRow>
  private let path: PredicateExpressions.KeyPath<FilterNode<FilterRow>, Value>
  private let name: String

  init(_ row: FilterNode<FilterRow>, _ name: String) {
    self.row = row
    self.name = name
    path = PredicateExpressions.KeyPath(root: row, keyPath: FilterRow.keyPath(name))
  }

  func term(_ translation: inout Translation) throws -> SQLTerm { try path.term(&translation) }
  func inspect(_ shape: inout PredicateShape) { path.inspect(&shape) }
  func checked(_ bindings: PredicateBindings) throws -> Value { try row.checked(bindings).value(name) }
  func evaluate(_ bindings: PredicateBindings) throws -> Value { try checked(bindings) }
}

/// A struct's property.
struct FieldNode<Value: FilterValue>: SQLNode {
  private let structure: FilterNode<FilterStructure>
  private let path: PredicateExpressions.KeyPath<FilterNode<FilterStructure>, Value>
  private let name: String
  private let key: String

  /// - Parameters:
  ///   - name: The property's name.
  ///   - key: The property's JSON key.
  init(_ structure: FilterNode<FilterStructure>, _ name: String, key: String) {
    self.structure = structure
    self.name = name
    self.key = key
    path = PredicateExpressions.KeyPath(root: structure, keyPath: FilterStructure.keyPath(name))
  }

  func term(_ translation: inout Translation) throws -> SQLTerm { try path.term(&translation) }
  func inspect(_ shape: inout PredicateShape) { path.inspect(&shape) }
  func checked(_ bindings: PredicateBindings) throws -> Value { try structure.checked(bindings).value(name, key: key) }
  func evaluate(_ bindings: PredicateBindings) throws -> Value { try checked(bindings) }
}
