import SwiftSource

/// Emits Foundation's `PredicateExpressions` tree for a closure.
///
/// The nodes are the same as in Foundation's macro. However, that macro nests all calls in a single expression, so that
/// type-checking time grows exponentially, while this emitter assigns each node to a constant. A node whose type
/// depends on the context, such as a literal, remains inside the call that determines the type.
struct PredicateEmitter {
  let parser: ExpressionParser
  private var count = 0
  /// True while the emitter tries to parse a captured expression: a failure affects the whole expression.
  private(set) var isInCapture = false

  init(_ parser: ExpressionParser) { self.parser = parser }

  /// A node of the tree.
  struct Node: Sendable {
    var code: Code
    /// True if the node must be part of a call, because its type depends on the context or because it is a name.
    var isInline: Bool
    /// True for a constant's name.
    var isName = false
    /// Set for an expression that does not use the model.
    var captured: Captured?
  }

  /// An expression that does not use the model.
  struct Captured: Sendable {
    var value: Code
    /// The expression's tree, if Foundation's macro builds it from nodes.
    var node: Code?
    /// True if reading the value can stop the process. The value is then read only when the predicate is evaluated.
    var canTrap = false

    /// The value as an argument.
    var argument: Code { "\(canTrap ? "trapping" : "value"): \(value)" }
    /// The arguments that describe the expression.
    var arguments: [Code] { (node.map { ["captured: \($0)"] } ?? []) + [argument] }
  }

  /// The type that contains Trellis's functions.
  static let functions: Code = "Trellis::ModelPredicateNodes"

  /// The statements of a closure in the expansion.
  struct Block {
    var constants: [Code] = []
  }

  /// An expression that predicates do not support.
  struct Unsupported: Error {
    var error: MacroError

    init(_ message: String, _ range: Range<Int>) { error = MacroError(message, at: range) }
  }

  // MARK: closures

  mutating func closure(_ closure: ClosureSyntax, _ scope: PredicateScope = PredicateScope()) throws -> Code {
    // Unique names, because a constant's value may be placed inside a closure whose parameter would otherwise hide a
    // name in the value.
    var inner = scope
    var names: [Code] = []
    for name in closure.parameters ?? ["$0"] {
      let own = name == "_" ? name : fresh("input")
      if name != "_" { inner = inner.adding(name, .variable(own)) }
      names.append("\(carried: own)")
    }
    return try build(parameters: names) { emitter, block in
      // Values in a capture list are read outside of the closure.
      let captures = try closure.captures.map { capture in
        (capture.name, try emitter.binding(capture.type, capture.value, scope, &block))
      }
      let inner = captures.reduce(inner) { $0.adding($1.0, $1.1) }
      return try emitter.body(closure.body[...], closure.range, inner, &block)
    }
  }

  /// Emits a closure.
  mutating func build(
    parameters: [Code], _ body: (inout Self, inout Block) throws -> Node
  ) throws -> Code {
    var block = Block()
    let result = try body(&self, &block)
    if block.constants.isEmpty { return "{ \(list: parameters) in \(result.code) }" }
    let lines: Code = "\(lines: block.constants + ["return \(result.code)"])"
    return "{ \(list: parameters) in\n  \(lines)\n}"
  }

  // Never inlined, because the many copies would slow down compilation.

  @inline(never) mutating func fresh(_ name: String) -> String {
    count += 1
    return "__\(name)\(count)"
  }

  /// Returns a node as an argument: a constant for a call.
  func argument(_ node: Node, _ block: inout Block, _ name: String) -> Code {
    guard !node.isInline, !isInCapture else { return node.code }
    block.constants.append("let \(carried: name) = \(node.code)")
    return "\(carried: name)"
  }

  @inline(never)
  mutating func operand(_ expression: ExpressionSyntax, _ scope: PredicateScope, _ block: inout Block) throws -> Code {
    let node = try node(expression, scope, &block)
    return argument(node, &block, node.isInline ? "" : fresh("node"))
  }

  @inline(never) mutating func constant(_ node: Node, _ block: inout Block) -> Code {
    argument(node, &block, node.isInline ? "" : fresh("node"))
  }

  // MARK: calls

  /// Returns a call to a node-building function.
  @inline(never)
  func call(_ function: StaticName, _ arguments: [Code], _ closure: Code? = nil, isInline: Bool = false) -> Node {
    let trailing: Code = closure.map { " \($0)" } ?? ""
    return Node(
      code: "Foundation::PredicateExpressions.build_\(carried: function.text)(\(list: arguments))\(trailing)",
      isInline: isInline)
  }

  /// The name of a node-building function.
  struct StaticName: ExpressibleByStringLiteral {
    let text: String
    init(stringLiteral value: StaticString) { text = value.description }
  }

  /// Returns the node for a value that is read when the predicate is created.
  func capture(_ range: Range<Int>, _ scope: PredicateScope) -> Node { capture(scope.text(range, parser)) }

  func capture(_ text: Code) -> Node {
    Node(
      code: "Foundation::PredicateExpressions.build_Arg(\(text))", isInline: true,
      captured: Captured(value: text, node: nil))
  }

  /// Returns a constant with both sides of a comparison. Trellis adapts the sides: a captured value gets the type of
  /// the opposite side, models are compared with captured models by identifier, and a value next to an optional
  /// becomes optional.
  mutating func sides(_ node: Node, _ other: [Code], _ block: inout Block) -> Code {
    let arguments = [constant(node, &block)] + other
    return constant(Node(code: "\(Self.functions).sides(\(list: arguments))", isInline: false), &block)
  }

  /// Returns the node for an expression.
  mutating func node(
    _ expression: ExpressionSyntax, _ scope: PredicateScope, _ block: inout Block
  ) throws -> Node {
    guard !isInCapture, scope.isClosed(expression, parser) else {
      do {
        return try open(expression, scope, &block)
      } catch let unsupported as Unsupported where !isInCapture {
        throw unsupported.error
      }
    }
    // Foundation's macro builds nodes for supported expressions. These nodes remain nested, because captured values
    // are converted to the types that the context requires.
    var attempt = self
    var copy = block
    attempt.isInCapture = true
    do {
      let found = try attempt.open(expression, scope, &copy)
      attempt.isInCapture = false
      self = attempt
      block = copy
      return closed(found, expression, scope)
    } catch is Unsupported {
      return capture(try readable(expression, scope))
    }
  }

  /// Returns the text of a value that is read when the predicate is created. Throws an error if reading it could stop
  /// the process.
  func readable(_ expression: ExpressionSyntax, _ scope: PredicateScope) throws -> Code {
    guard let trap = expression.trap(scope.excluded, scope, in: parser) else {
      return scope.text(expression.range, parser)
    }
    throw MacroError(
      "'\(parser.text(trap))' is read when the predicate is created and could stop the program; "
        + "assign it to a constant before the predicate", at: trap)
  }

  /// Returns the node for a parsed expression that does not use the model.
  private func closed(_ node: Node, _ expression: ExpressionSyntax, _ scope: PredicateScope) -> Node {
    guard node.captured == nil else { return node }
    let captured = Captured(
      value: scope.text(expression.range, parser), node: node.code, canTrap: expression.canTrap(scope))
    guard expression.namesValue else {
      // An expression that consists only of literals, such as `-1`, may be compared with an optional.
      return expression.isCalculated ? Node(code: node.code, isInline: true, captured: captured) : node
    }
    return Node(
      code: "\(Self.functions).captured(\(node.code), \(captured.argument))", isInline: true, captured: captured)
  }
}
