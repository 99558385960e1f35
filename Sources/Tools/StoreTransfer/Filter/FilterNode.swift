import Foundation
import Trellis

/// An expression in a filter's tree, with a value type but without the types of its parts.
///
///     $0.nights > 3   // FilterNode<Bool> of Comparison<FilterNode<Int>, FilterNode<Int>>
///
/// Foundation's nodes contain the types of all their parts, which a compiler knows and a text does not. This node
/// contains any node with a value type, and answers every question as that node does. The runtime therefore translates
/// and evaluates a filter exactly as it does the predicate that `#Predicate` creates. Texts also create only a limited
/// number of types, which are never freed.
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

/// A node that a filter creates. Foundation requires `Codable`, although filters are never encoded.
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
  /// The node itself if it is `&&` or `||`, whose operands the runtime looks for.
  var operand: any StandardPredicateExpression<Bool> { content.junction ?? self }
}

/// A node without its type.
private class FilterContent<Value>: @unchecked Sendable {  // never written
  // `NodeContent` overrides all members, and only it is created.
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

/// The variable of a closure. Foundation creates it together with the node that calls the closure, after the closure's
/// body has been read.
final class FilterVariable<Value>: @unchecked Sendable {  // written once, before the tree is used
  private(set) var variable = PredicateExpressions.Variable<Value>()

  /// Returns a closure's body with the variable that Foundation created for it.
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

/// A row's property. SQL knows it by its key path; in memory it is read from the row, which can fail.
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
  ///   - key: The property's name in JSON.
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
