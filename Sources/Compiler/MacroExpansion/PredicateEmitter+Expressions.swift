import SchemaSyntax
import SwiftSource

extension PredicateEmitter {
  /// Returns the node for a parsed expression.
  mutating func open(_ expression: ExpressionSyntax, _ scope: PredicateScope, _ block: inout Block) throws -> Node {
    if expression.isMemberOfSelfOrType(scope) {
      // An object may be isolated to an actor, and a type is not a value, so neither supports key paths. Reading these
      // members cannot stop the process.
      return capture(expression.range, scope)
    }
    if let (base, rest) = expression.optionalChain {
      return try flatMap(base, scope, &block) { emitter, inner, block in try emitter.node(rest, inner, &block) }
    }
    switch expression.kind {
    case .name(let name):
      switch scope[name] {
      case .variable(let name): return Node(code: "\(carried: name)", isInline: true)
      case .node(let node), .deferred(let node, _): return node
      case .value(let own): return capture("\(carried: own)")
      case nil: return capture(expression.range, scope)
      }
    case .nilLiteral: return call("NilLiteral", [], isInline: true)
    case .literal:
      guard !scope.mentions(expression.range, parser) else {
        throw Unsupported(
          "a model value cannot be part of this expression in a predicate; compare its parts", expression.range)
      }
      return capture(try readable(expression, scope))
    case .opaque, .closure:
      throw Unsupported("this expression is not supported in a predicate", expression.range)
    case .parenthesized(let content): return try node(content, scope, &block)
    case .effect(let word, let content):
      guard word == "try" else { throw Unsupported("'\(word)' is not supported in a predicate", expression.range) }
      return try node(content, scope, &block)
    case .member(let base, let name):
      guard name.first?.isNumber != true else {
        throw Unsupported("tuples are not supported in a predicate", expression.range)
      }
      // Foundation's key paths do not support `.self`.
      guard name != "self" else { return try node(base, scope, &block) }
      let value = try node(base, scope, &block)
      let root = constant(value, &block)
      return call("KeyPath", ["root: \(root)", "keyPath: \\.\(carried: name)"])
    case .call(let callee, let arguments):
      return try method(callee, arguments, expression.range, scope, &block)
    case .subscript(let base, let arguments):
      return try element(of: base, arguments, expression.range, scope, &block)
    case .optional:
      throw Unsupported("'?' without a member is not supported in a predicate", expression.range)
    case .forced(let content):
      return call("ForcedUnwrap", [try operand(content, scope, &block)])
    case .prefix(let sign, let content): return try prefix(sign, content, expression.range, scope, &block)
    case .binary(let left, let sign, let right):
      return try binary(left, sign, right, expression.range, scope, &block)
    case .ternary(let condition, let first, let second):
      let test = try operand(condition, scope, &block)
      let (first, second) = (try node(first, scope, &block), try node(second, scope, &block))
      return call(
        "Conditional", [test, constant(first, &block), constant(second, &block)],
        isInline: first.isInline && second.isInline)
    case .cast(_, .coercion, _) where isInCapture:
      // Foundation's macro treats `5 as Double` as a cast from `Int`, which fails.
      throw Unsupported("this coercion is a captured value", expression.range)
    case .cast(let content, let cast, let type):
      let value = try operand(content, scope, &block)
      let node: Code =
        switch cast {
        case .check: "TypeCheck"
        case .conditional: "ConditionalCast"
        case .forced, .coercion: "ForceCast"
        }
      return Node(code: "Foundation::PredicateExpressions.\(node)<_, \(carried: type)>(\(value))", isInline: false)
    case .condition(let condition):
      return try self.condition(condition, next: nil, expression.range, scope, &block)
    }
  }

  // MARK: operators

  private mutating func prefix(
    _ sign: String, _ content: ExpressionSyntax, _ range: Range<Int>, _ scope: PredicateScope, _ block: inout Block
  ) throws -> Node {
    switch sign {
    case "!": return call("Negation", [try operand(content, scope, &block)])
    case "-":
      let value = try node(content, scope, &block)
      return call("UnaryMinus", [constant(value, &block)], isInline: value.isInline && !isVariable(content, scope))
    default: throw Unsupported("the operator '\(sign)' is not supported in a predicate", range)
    }
  }

  private func isVariable(_ expression: ExpressionSyntax, _ scope: PredicateScope) -> Bool {
    if case .name(let name) = expression.kind { scope.isOpen(name) } else { false }
  }

  private static let comparisons: [String: Code] = [
    "<": ".lessThan", "<=": ".lessThanOrEqual", ">": ".greaterThan", ">=": ".greaterThanOrEqual",
  ]
  private static let arithmetic: [String: Code] = ["+": ".add", "-": ".subtract", "*": ".multiply"]

  private mutating func binary(
    _ left: ExpressionSyntax, _ sign: String, _ right: ExpressionSyntax, _ range: Range<Int>, _ scope: PredicateScope,
    _ block: inout Block
  ) throws -> Node {
    // The sum of two string literals, or of a string literal and a captured value.
    let hasText = left.isText && right.isText || (left.isText || right.isText) && (left.namesValue || right.namesValue)
    if sign == "+", isInCapture, hasText {
      throw Unsupported("a sum of strings is a captured value", range)
    }
    if sign == "??", case .literal = right.kind, parser.text(right.range) == ".none", !isInCapture {
      throw Unsupported("'.none' is nil here; remove '?? .none', or write the enum type before '.none'", range)
    }
    let (first, second) = (try node(left, scope, &block), try node(right, scope, &block))
    let isInline = first.isInline && second.isInline && !isVariable(left, scope) && !isVariable(right, scope)
    if sign == "==" || sign == "!=", !isInCapture {
      let function: StaticName = sign == "==" ? "Equal" : "NotEqual"
      // The type of an inline operand depends on the context.
      let hasType = !first.isInline || isVariable(left, scope)
      let otherHasType = !second.isInline || isVariable(right, scope)
      if let captured = second.captured, hasType {
        let sides = sides(first, captured.arguments, &block)
        return call(function, ["lhs: \(sides).node", "rhs: \(sides).captured"])
      }
      if let captured = first.captured, otherHasType {
        let sides = sides(second, captured.arguments, &block)
        return call(function, ["lhs: \(sides).captured", "rhs: \(sides).node"])
      }
      if hasType, otherHasType {
        let sides = sides(first, [constant(second, &block)], &block)
        return call(function, ["lhs: \(sides).node", "rhs: \(sides).other"])
      }
    }
    var (lhs, rhs) = (constant(first, &block), constant(second, &block))
    if sign == "??", left.namesValue, isInCapture || scope.isClosed(left, parser) {
      lhs = coalesced(first, left, scope)
    }
    if sign == "~=" { lhs = "\(Self.functions).range(\(lhs))" }
    let sides: [Code] = ["lhs: \(lhs)", "rhs: \(rhs)"]
    if isInCapture, let operation = Self.arithmetic[sign], left.namesValue || right.namesValue {
      guard !left.canTrap(scope), !right.canTrap(scope) else {
        return call("Arithmetic", sides + ["op: \(operation)"], isInline: true)
      }
      // A constant, because nested calls would take exponential time.
      let name: Code = "\(carried: fresh("node"))"
      let value: Code = "value: \(scope.text(range, parser))"
      block.constants.append(
        "let \(name) = \(Self.functions).arithmetic(\(list: sides), op: \(operation), \(value))")
      return Node(code: name, isInline: true)
    }
    switch sign {
    case "&&": return call("Conjunction", sides)
    case "||": return call("Disjunction", sides)
    case "==": return call("Equal", sides)
    case "!=": return call("NotEqual", sides)
    case "??": return call("NilCoalesce", sides, isInline: isInline)
    case "/": return call("Division", sides, isInline: isInline)
    case "%": return call("Remainder", sides, isInline: isInline)
    case "...": return call("ClosedRange", ["lower: \(lhs)", "upper: \(rhs)"], isInline: isInline)
    case "..<": return call("Range", ["lower: \(lhs)", "upper: \(rhs)"], isInline: isInline)
    case "~=": return call("contains", [lhs, rhs])
    default:
      if let comparison = Self.comparisons[sign] { return call("Comparison", sides + ["op: \(comparison)"]) }
      if let operation = Self.arithmetic[sign] {
        return call("Arithmetic", sides + ["op: \(operation)"], isInline: isInline)
      }
      let help = sign == "===" ? "; compare models with '=='" : ""
      throw Unsupported("the operator '\(sign)' is not supported in a predicate\(help)", range)
    }
  }

  /// Returns an optional expression that does not use the model, for the left side of `??`.
  private func coalesced(_ node: Node, _ expression: ExpressionSyntax, _ scope: PredicateScope) -> Code {
    let captured =
      node.captured
      ?? Captured(value: scope.text(expression.range, parser), node: node.code, canTrap: expression.canTrap(scope))
    guard let tree = captured.node else { return "\(Self.functions).coalesced(\(captured.value))" }
    return "\(Self.functions).coalesced(\(tree), \(captured.argument))"
  }
}
