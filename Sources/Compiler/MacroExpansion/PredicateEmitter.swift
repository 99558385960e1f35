import SwiftSource

/// Writes the tree of Foundation's `PredicateExpressions` for a closure.
///
/// The nodes are those of Foundation's macro. Foundation's macro nests the calls in one expression, and the time of the
/// type checker grows exponentially with it. This emitter assigns each node to a constant. A node whose type depends on
/// its context, such as a literal, stays inside the call that gives it a type.
struct PredicateEmitter {
  let parser: ExpressionParser
  private var count = 0
  /// True while a captured expression is tried: a failure concerns it as a whole.
  private(set) var isInCapture = false

  init(_ parser: ExpressionParser) { self.parser = parser }

  /// A node of the tree.
  struct Node: Sendable {
    var code: Code
    /// True if a call must contain the node: its type depends on the context, or it is a name.
    var isInline: Bool
    /// True for the name of a constant.
    var isName = false
    /// For an expression without the model.
    var captured: Captured?
  }

  /// An expression that does not use the model.
  struct Captured: Sendable {
    var value: Code
    /// Its tree, if Foundation's macro takes it apart.
    var node: Code?
    /// True if reading the value can stop the program. Then it is read with the predicate or not at all.
    var canTrap = false

    /// The value as an argument.
    var argument: Code { "\(canTrap ? "trapping" : "value"): \(value)" }
    /// The arguments that describe it.
    var arguments: [Code] { (node.map { ["captured: \($0)"] } ?? []) + [argument] }
  }

  /// The functions of Trellis.
  static let functions: Code = "Trellis::ModelPredicateNodes"

  /// The statements of a closure of the expansion.
  struct Block {
    var constants: [Code] = []
  }

  /// An expression that a predicate cannot contain.
  struct Unsupported: Error {
    var error: MacroError

    init(_ message: String, _ range: Range<Int>) { error = MacroError(message, at: range) }
  }

  // MARK: closures

  mutating func closure(_ closure: ClosureSyntax, _ scope: PredicateScope = PredicateScope()) throws -> Code {
    // Names that no source contains: the value of a constant may be placed inside a closure whose parameter has a name
    // that the value uses.
    var inner = scope
    var names: [Code] = []
    for name in closure.parameters ?? ["$0"] {
      let own = name == "_" ? name : fresh("input")
      if name != "_" { inner = inner.adding(name, .variable(own)) }
      names.append("\(carried: own)")
    }
    return try build(parameters: names) { emitter, block in
      // The values of a capture list are read outside of the closure.
      let captures = try closure.captures.map { capture in
        (capture.name, try emitter.binding(capture.type, capture.value, scope, &block))
      }
      let inner = captures.reduce(inner) { $0.adding($1.0, $1.1) }
      return try emitter.body(closure.body[...], closure.range, inner, &block)
    }
  }

  /// A closure of the expansion.
  mutating func build(
    parameters: [Code], _ body: (inout Self, inout Block) throws -> Node
  ) throws -> Code {
    var block = Block()
    let result = try body(&self, &block)
    if block.constants.isEmpty { return "{ \(list: parameters) in \(result.code) }" }
    let lines: Code = "\(lines: block.constants + ["return \(result.code)"])"
    return "{ \(list: parameters) in\n  \(lines)\n}"
  }

  mutating func fresh(_ name: String) -> String {
    count += 1
    return "__\(name)\(count)"
  }

  /// A node as an argument: a constant for a call.
  func argument(_ node: Node, _ block: inout Block, _ name: String) -> Code {
    guard !node.isInline, !isInCapture else { return node.code }
    block.constants.append("let \(carried: name) = \(node.code)")
    return "\(carried: name)"
  }

  mutating func operand(_ expression: ExpressionSyntax, _ scope: PredicateScope, _ block: inout Block) throws -> Code {
    let node = try node(expression, scope, &block)
    return argument(node, &block, node.isInline ? "" : fresh("node"))
  }

  mutating func constant(_ node: Node, _ block: inout Block) -> Code {
    argument(node, &block, node.isInline ? "" : fresh("node"))
  }

  // MARK: statements

  /// The value of the statements of a closure or a branch.
  ///
  /// - Parameter next: the value of what follows the branch, for a branch that ends without a value.
  mutating func body(
    _ statements: ArraySlice<StatementSyntax>, _ range: Range<Int>, _ scope: PredicateScope, next: Node? = nil,
    _ block: inout Block
  ) throws -> Node {
    guard let first = statements.first else {
      guard let next else { throw MacroError("a predicate needs a value here", at: range) }
      return next
    }
    let rest = statements.dropFirst()
    switch first.kind {
    case .value(let value, _):
      try noMore(rest)
      return try node(value, scope, &block)
    case .constant(let name, let type, let value):
      guard name != "_" else { return try body(rest, first.range, scope, next: next, &block) }
      let inner = scope.adding(name, try binding(type, value, scope, &block))
      return try body(rest, first.range, inner, next: next, &block)
    case .condition(let condition):
      guard !condition.hasValue else {
        try noMore(rest)
        return try self.condition(condition, next: nil, first.range, scope, &block)
      }
      let inner = scope.conditional
      let next = rest.isEmpty ? next : shared(try body(rest, first.range, inner, next: next, &block), &block)
      return try self.condition(condition, next: next, first.range, scope, &block)
    case .guard(let conditions, let otherwise):
      let other = try self.body(otherwise[...], first.range, scope.conditional, &block)
      return try self.condition(
        conditions[...], rest, otherwise: shared(other, &block), next: next, first.range, scope.conditional, &block)
    }
  }

  /// The value of an `if`.
  ///
  /// - Parameter next: the value if a branch ends without one, or if there is no `else`.
  mutating func condition(
    _ condition: IfSyntax, next: Node?, _ range: Range<Int>, _ scope: PredicateScope, _ block: inout Block
  ) throws -> Node {
    guard
      let otherwise = try condition.otherwise.map({ try body($0[...], range, scope.conditional, next: next, &block) })
        ?? next
    else { throw MacroError("this 'if' needs an 'else'", at: range) }
    return try self.condition(
      condition.conditions[...], condition.body[...], otherwise: shared(otherwise, &block), next: next, range,
      scope.conditional, &block)
  }

  /// What a constant of the source stands for.
  private mutating func binding(
    _ type: String?, _ value: ExpressionSyntax, _ scope: PredicateScope, _ block: inout Block
  ) throws -> PredicateScope.Binding {
    // A value that can stop the program is not read before its condition.
    let isRead = scope.isClosed(value, parser) && !(scope.isConditional && (value.canTrap || value.forcedPart != nil))
    guard isRead else {
      let node = try node(value, scope, &block)
      guard let type else { return .node(shared(node, &block)) }
      let typed: Code = "\(Self.functions).constant(\(node.code), of: (\(carried: type)).self)"
      return .node(shared(Node(code: typed, isInline: false), &block))
    }
    let own = fresh("constant")
    let annotation: Code = type.map { ": \(carried: $0)" } ?? ""
    block.constants.append("let \(carried: own)\(annotation) = \(scope.text(value.range, parser))")
    return .value(own)
  }

  /// A node that is used several times: a constant, unless its type depends on its context.
  mutating func shared(_ node: Node, _ block: inout Block) -> Node {
    node.isInline ? node : Node(code: constant(node, &block), isInline: true, isName: true)
  }

  func noMore(_ rest: ArraySlice<StatementSyntax>) throws {
    guard let next = rest.first else { return }
    throw MacroError("a predicate has one value: this statement is not reached", at: next.range)
  }

  /// - Parameter otherwise: the value if a condition fails. It is one node, which several places use: with a copy in each
  ///   of them, a row of conditions would take exponential time.
  private mutating func condition(
    _ conditions: ArraySlice<ConditionSyntax>, _ body: ArraySlice<StatementSyntax>, otherwise: Node, next: Node?,
    _ range: Range<Int>, _ scope: PredicateScope, _ block: inout Block
  ) throws -> Node {
    if let flattened = try bindings(conditions, body, next: next, range, scope, &block) {
      let left = constant(flattened, &block)
      return call("NilCoalesce", ["lhs: \(left)", "rhs: \(otherwise.code)"])
    }
    switch conditions.first {
    case .test:
      let tests = conditions.prefix { if case .test = $0 { true } else { false } }
      var condition: Code?
      for case .test(let test) in tests {
        let next = try operand(test, scope, &block)
        condition =
          condition.map { left in
            constant(call("Conjunction", ["lhs: \(left)", "rhs: \(next)"]), &block)
          } ?? next
      }
      let rest = conditions.dropFirst(tests.count)
      let first =
        rest.isEmpty
        ? try self.body(body, range, scope, next: next, &block)
        : try self.condition(rest, body, otherwise: otherwise, next: next, range, scope, &block)
      let isInline = first.isInline && otherwise.isInline && !first.isName && !otherwise.isName
      return call("Conditional", [condition ?? "", constant(first, &block), otherwise.code], isInline: isInline)
    case .binding(let name, let value):
      // Bindings and then tests.
      let base = try operand(value, scope, &block)
      let own = fresh("value")
      let inner = scope.adding(name, .variable(own))
      let closure = try build(parameters: ["\(carried: own)"]) { emitter, block in
        emitter.bound(
          try emitter.condition(
            conditions.dropFirst(), body, otherwise: otherwise, next: next, range, inner, &block))
      }
      let left = constant(call("flatMap", [base], closure), &block)
      return call("NilCoalesce", ["lhs: \(left)", "rhs: \(otherwise.code)"])
    case nil:
      return try self.body(body, range, scope, next: next, &block)
    }
  }

  /// The value of a body behind optional bindings only; nil if there are other conditions.
  private mutating func bindings(
    _ conditions: ArraySlice<ConditionSyntax>, _ body: ArraySlice<StatementSyntax>, next: Node?, _ range: Range<Int>,
    _ scope: PredicateScope, _ block: inout Block
  ) throws -> Node? {
    guard !conditions.isEmpty, conditions.allSatisfy({ if case .binding = $0 { true } else { false } }) else {
      return nil
    }
    guard case .binding(let name, let value)? = conditions.first else { return nil }
    let base = try operand(value, scope, &block)
    let own = fresh("value")
    let inner = scope.adding(name, .variable(own))
    let closure = try build(parameters: ["\(carried: own)"]) { emitter, block in
      try emitter.bindings(conditions.dropFirst(), body, next: next, range, inner, &block)
        ?? emitter.bound(emitter.body(body, range, inner, next: next, &block))
    }
    return call("flatMap", [base], closure)
  }

  /// The value of the body of an `if let`, which must not be optional.
  private func bound(_ node: Node) -> Node {
    Node(code: "\(Self.functions).body(\(node.code))", isInline: node.isInline)
  }

  // MARK: calls

  /// A call of a function that builds a node.
  func call(_ function: StaticName, _ arguments: [Code], _ closure: Code? = nil, isInline: Bool = false) -> Node {
    let trailing: Code = closure.map { " \($0)" } ?? ""
    return Node(
      code: "Foundation::PredicateExpressions.build_\(carried: function.text)(\(list: arguments))\(trailing)",
      isInline: isInline)
  }

  /// The name of a function that builds a node.
  struct StaticName: ExpressibleByStringLiteral {
    let text: String
    init(stringLiteral value: StaticString) { text = value.description }
  }

  /// A value that is read when the predicate is created.
  func capture(_ range: Range<Int>, _ scope: PredicateScope) -> Node { capture(scope.text(range, parser)) }

  func capture(_ text: Code) -> Node {
    Node(
      code: "Foundation::PredicateExpressions.build_Arg(\(text))", isInline: true,
      captured: Captured(value: text, node: nil))
  }

  /// The constant with the two sides of a comparison with a captured value. Trellis makes them: the value gets the type
  /// of the other side, and models are compared by their identifiers.
  mutating func sides(_ node: Node, _ captured: Captured, _ block: inout Block) -> Code {
    let arguments = [constant(node, &block)] + captured.arguments
    return constant(Node(code: "\(Self.functions).sides(\(list: arguments))", isInline: false), &block)
  }

  /// The node of an expression.
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
    // Foundation's macro takes apart what it can. The nodes stay inside each other, because captured values are converted
    // to the types that their surroundings need.
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
      if let forced = expression.forcedPart { throw unwrapping(forced.range) }
      return capture(expression.range, scope)
    }
  }

  func unwrapping(_ range: Range<Int>) -> MacroError {
    MacroError(
      "'\(parser.text(range))' is read when the predicate is created and would stop the program if it is nil; "
        + "assign it to a constant before the predicate", at: range)
  }

  /// The node of an expression without the model that was taken apart.
  private func closed(_ node: Node, _ expression: ExpressionSyntax, _ scope: PredicateScope) -> Node {
    guard node.captured == nil else { return node }
    let captured = Captured(
      value: scope.text(expression.range, parser), node: node.code, canTrap: expression.canTrap)
    guard expression.namesValue else {
      // What is made of literals only: `-1` may be compared with an optional.
      return expression.isCalculated ? Node(code: node.code, isInline: true, captured: captured) : node
    }
    return Node(
      code: "\(Self.functions).captured(\(node.code), \(captured.argument))", isInline: true, captured: captured)
  }
}
