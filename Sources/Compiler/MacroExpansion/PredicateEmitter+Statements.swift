import SwiftSource

/// Emits the statements in closures and branches.
extension PredicateEmitter {
  /// Returns the value of a closure's or a branch's statements.
  ///
  /// - Parameter next: The value of the following statements, for a branch that has no value.
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

  /// Returns the value of an `if`.
  ///
  /// - Parameter next: The value for a branch that has no value, or for a missing `else`.
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

  /// Returns the binding for a constant in the source.
  mutating func binding(
    _ type: String?, _ value: ExpressionSyntax, _ scope: PredicateScope, _ block: inout Block
  ) throws -> PredicateScope.Binding {
    let scope = scope.constant
    guard scope.isClosed(value, parser) else { return .node(shared(try typed(value, type, scope, &block), &block)) }
    let own = fresh("constant")
    let annotation: Code = type.map { ": \(carried: $0)" } ?? ""
    let text: Code = "\(carried: own)\(annotation) = \(scope.text(value.range, parser))"
    // A value that can stop the process is read only after the condition.
    guard scope.isConditional, value.trap(.any, scope, in: parser) != nil else {
      block.constants.append("let \(text)")
      return .value(own)
    }
    let node = try typed(value, type, scope, &block)
    let name: Code = "\(carried: fresh("node"))"
    block.constants += ["lazy var \(text)", "let \(name) = \(node.code)"]
    let captured = Captured(value: "\(carried: own)", node: name, canTrap: true)
    return .deferred(Node(code: name, isInline: true, isName: true, captured: captured), own)
  }

  /// Returns the node for a constant's value, with the type if it is written.
  private mutating func typed(
    _ value: ExpressionSyntax, _ type: String?, _ scope: PredicateScope, _ block: inout Block
  ) throws -> Node {
    guard let type else { return try node(value, scope, &block) }
    switch value.kind {
    case .parenthesized(let content): return try typed(content, type, scope, &block)
    case .ternary(let condition, let first, let second) where !scope.isClosed(value, parser):
      // Swift converts each branch to the type.
      let test = try operand(condition, scope, &block)
      let branches = [try typed(first, type, scope, &block), try typed(second, type, scope, &block)]
      return call("Conditional", [test] + branches.map { constant($0, &block) })
    default:
      let code = try node(value, scope, &block).code
      return Node(code: "\(Self.functions).constant(\(code), of: (\(carried: type)).self)", isInline: false)
    }
  }

  /// Returns a node that can be used several times: a constant, unless its type depends on the context.
  mutating func shared(_ node: Node, _ block: inout Block) -> Node {
    node.isInline ? node : Node(code: constant(node, &block), isInline: true, isName: true)
  }

  func noMore(_ rest: ArraySlice<StatementSyntax>) throws {
    guard let next = rest.first else { return }
    throw MacroError("a predicate has a single value: this statement is not reached", at: next.range)
  }

  /// - Parameter otherwise: The value if a condition fails. A single node is shared, because copies in a series of
  ///   conditions would take exponential time.
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
      // Bindings, followed by tests.
      let base = try optional(value, scope, &block)
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

  /// Returns the body's value if all conditions are optional bindings; `nil` if there are other conditions.
  private mutating func bindings(
    _ conditions: ArraySlice<ConditionSyntax>, _ body: ArraySlice<StatementSyntax>, next: Node?, _ range: Range<Int>,
    _ scope: PredicateScope, _ block: inout Block
  ) throws -> Node? {
    guard !conditions.isEmpty, conditions.allSatisfy({ if case .binding = $0 { true } else { false } }) else {
      return nil
    }
    guard case .binding(let name, let value)? = conditions.first else { return nil }
    let base = try optional(value, scope, &block)
    let own = fresh("value")
    let inner = scope.adding(name, .variable(own))
    let closure = try build(parameters: ["\(carried: own)"]) { emitter, block in
      try emitter.bindings(conditions.dropFirst(), body, next: next, range, inner, &block)
        ?? emitter.bound(emitter.body(body, range, inner, next: next, &block))
    }
    return call("flatMap", [base], closure)
  }

  /// Returns the value of an `if let` body, which must not be optional.
  private func bound(_ node: Node) -> Node {
    Node(code: "\(Self.functions).body(\(node.code))", isInline: node.isInline)
  }
}
