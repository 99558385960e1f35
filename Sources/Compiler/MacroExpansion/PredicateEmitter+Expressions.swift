import SchemaSyntax
import SwiftSource

extension PredicateEmitter {
  /// The node of an expression that is taken apart.
  mutating func open(_ expression: ExpressionSyntax, _ scope: PredicateScope, _ block: inout Block) throws -> Node {
    if let (base, rest) = expression.optionalChain {
      return try flatMap(base, scope, &block) { emitter, inner, block in try emitter.node(rest, inner, &block) }
    }
    switch expression.kind {
    case .name(let name):
      switch scope[name] {
      case .variable(let name): return Node(code: "\(carried: name)", isInline: true)
      case .node(let node): return node
      case nil:
        // A type: a captured value whose members can be paths has a small first letter.
        guard name.first?.isUppercase != true, name != "super" else {
          throw Unsupported("'\(name)' is no value", expression.range)
        }
        return capture(expression.range)
      }
    case .nilLiteral: return call("NilLiteral", [], isInline: true)
    case .literal:
      guard !scope.mentions(expression.range, parser) else {
        throw Unsupported(
          "a value of the model cannot be part of this expression in a predicate; compare its parts", expression.range)
      }
      return capture(expression.range)
    case .opaque, .closure:
      throw Unsupported("this expression is not supported in a predicate", expression.range)
    case .parenthesized(let content): return try node(content, scope, &block)
    case .effect(let word, let content):
      guard word == "try" else { throw Unsupported("'\(word)' is not supported in a predicate", expression.range) }
      return try node(content, scope, &block)
    case .member(let base, _) where base.isSelf && scope["self"] == nil:
      // Of an object that may be isolated to an actor there is no key path.
      throw Unsupported("this is a captured value", expression.range)
    case .member(let base, let name):
      guard name.first?.isNumber != true else {
        throw Unsupported("tuples are not supported in a predicate", expression.range)
      }
      // Foundation's key paths have no `.self`.
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
      // Foundation's macro takes `5 as Double` for a cast of an `Int`, which fails.
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
    if case .name(let name) = expression.kind { scope[name] != nil } else { false }
  }

  private static let comparisons: [String: Code] = [
    "<": ".lessThan", "<=": ".lessThanOrEqual", ">": ".greaterThan", ">=": ".greaterThanOrEqual",
  ]
  private static let arithmetic: [String: Code] = ["+": ".add", "-": ".subtract", "*": ".multiply"]

  private mutating func binary(
    _ left: ExpressionSyntax, _ sign: String, _ right: ExpressionSyntax, _ range: Range<Int>, _ scope: PredicateScope,
    _ block: inout Block
  ) throws -> Node {
    let (first, second) = (try node(left, scope, &block), try node(right, scope, &block))
    let isInline = first.isInline && second.isInline && !isVariable(left, scope) && !isVariable(right, scope)
    if sign == "==" || sign == "!=", !isInCapture {
      let function: StaticName = sign == "==" ? "Equal" : "NotEqual"
      if let captured = second.captured, !first.isInline || isVariable(left, scope) {
        let sides = sides(first, captured, &block)
        return call(function, ["lhs: \(sides).node", "rhs: \(sides).captured"])
      }
      if let captured = first.captured, !second.isInline || isVariable(right, scope) {
        let sides = sides(second, captured, &block)
        return call(function, ["lhs: \(sides).captured", "rhs: \(sides).node"])
      }
    }
    var (lhs, rhs) = (constant(first, &block), constant(second, &block))
    if sign == "??", left.namesValue, isInCapture || scope.isClosed(left, parser) {
      lhs = coalesced(first, left)
    }
    if sign == "~=" { lhs = "\(Self.functions).range(\(lhs))" }
    let sides: [Code] = ["lhs: \(lhs)", "rhs: \(rhs)"]
    if isInCapture, let operation = Self.arithmetic[sign], left.namesValue || right.namesValue {
      if sign == "+", left.isText || right.isText { throw Unsupported("a sum of texts is a captured value", range) }
      guard !left.canTrap, !right.canTrap else {
        return call("Arithmetic", sides + ["op: \(operation)"], isInline: true)
      }
      // A constant: inside each other, the calls would take exponential time.
      let name: Code = "\(carried: fresh("node"))"
      let value: Code = "value: \(carried: parser.text(range))"
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

  /// An optional expression without the model in front of `??`.
  private func coalesced(_ node: Node, _ expression: ExpressionSyntax) -> Code {
    let text: Code = "\(carried: parser.text(expression.range))"
    let captured =
      node.captured ?? Captured(value: text, node: node.code, canTrap: expression.canTrap)
    guard let tree = captured.node else { return "\(Self.functions).coalesced(\(captured.value))" }
    return "\(Self.functions).coalesced(\(tree), \(captured.argument))"
  }

  // MARK: methods

  private mutating func flatMap(
    _ base: ExpressionSyntax, _ scope: PredicateScope, _ block: inout Block,
    _ body: (inout Self, PredicateScope, inout Block) throws -> Node
  ) throws -> Node {
    let value = try operand(base, scope, &block)
    let name = fresh("value")
    let inner = scope.adding(PredicateScope.unwrapped, .variable(name))
    let closure = try build(parameters: ["\(carried: name)"]) { emitter, block in try body(&emitter, inner, &block) }
    return call("flatMap", [value], closure)
  }

  private mutating func element(
    of base: ExpressionSyntax, _ arguments: [ExpressionSyntax.Argument], _ range: Range<Int>, _ scope: PredicateScope,
    _ block: inout Block
  ) throws -> Node {
    var parts = [try operand(base, scope, &block)]
    for (index, argument) in arguments.enumerated() {
      let value = try operand(argument.value, scope, &block)
      switch argument.label {
      case nil: parts.append(value)
      case "default" where index == 1: parts.append("default: \(value)")
      case let label?: throw Unsupported("the subscript '\(label):' is not supported in a predicate", range)
      }
    }
    return call("subscript", parts)
  }

  private mutating func method(
    _ callee: ExpressionSyntax, _ arguments: [ExpressionSyntax.Argument], _ range: Range<Int>, _ scope: PredicateScope,
    _ block: inout Block
  ) throws -> Node {
    guard case .member(let base, let name) = callee.kind else {
      if case .name(let name) = callee.kind, name.first?.isUppercase != true {
        throw Unsupported(
          "the function '\(name)' is not supported in a predicate; call it before, and use the result", range)
      }
      throw Unsupported("an initializer cannot use values of the model in a predicate", range)
    }
    let labels = arguments.map { $0.isTrailing ? nil : $0.label }
    if arguments.count == 1, case .closure(let closure) = arguments[0].value.kind {
      let isTrailing = arguments[0].isTrailing
      switch (name, labels[0]) {
      case ("contains", let label) where label == "where" || isTrailing:
        return try elements("contains", "where: ", base, closure, isTrailing, scope, &block)
      case ("allSatisfy", nil): return try elements("allSatisfy", "", base, closure, isTrailing, scope, &block)
      case ("filter", nil): return try elements("filter", "", base, closure, isTrailing, scope, &block)
      case ("flatMap", nil): return try elements("flatMap", "", base, closure, isTrailing, scope, &block)
      default: break
      }
    }
    let function: StaticName
    var label: Code = ""
    switch (name, labels) {
    case ("contains", [nil]): function = "contains"
    case ("starts", ["with"]): (function, label) = ("starts", "with: ")
    case ("hasPrefix", [nil]): (function, label) = ("starts", "with: ")
    case ("min", []): function = "min"
    case ("max", []): function = "max"
    case ("evaluate", [nil]): function = "subscript"
    case ("localizedStandardContains", [nil]): function = "localizedStandardContains"
    case ("localizedStandardCompare", [nil]): function = "localizedStandardCompare"
    case ("localizedCompare", [nil]): function = "localizedCompare"
    case ("localizedCaseInsensitiveCompare", [nil]): function = "localizedCaseInsensitiveCompare"
    case ("caseInsensitiveCompare", [nil]): function = "caseInsensitiveCompare"
    default: throw unsupportedMethod(name, range)
    }
    if name == "contains", base.isListOfTexts(parser) {
      guard !isInCapture else { throw Unsupported("this is a captured value", range) }
      let values: Code = "literals: \(carried: parser.text(base.range))"
      let element = try operand(arguments[0].value, scope, &block)
      return Node(code: "\(Self.functions).contains(\(values), \(element))", isInline: false)
    }
    var parts = [try operand(base, scope, &block)]
    for argument in arguments { parts.append("\(label)\(try operand(argument.value, scope, &block))") }
    let found = call(function, parts)
    guard name == "contains", !isInCapture,
      ([base] + arguments.map(\.value)).contains(where: { $0.namesValue && scope.isClosed($0, parser) })
    else { return found }
    return Node(code: "\(Self.functions).contains(\(found.code))", isInline: false)
  }

  private mutating func elements(
    _ function: StaticName, _ label: Code, _ base: ExpressionSyntax, _ closure: ClosureSyntax, _ isTrailing: Bool,
    _ scope: PredicateScope, _ block: inout Block
  ) throws -> Node {
    let sequence = try operand(base, scope, &block)
    let body = try self.closure(closure, scope)
    return isTrailing ? call(function, [sequence], body) : call(function, [sequence, "\(label)\(body)"])
  }

  private func unsupportedMethod(_ name: String, _ range: Range<Int>) -> Unsupported {
    let help =
      switch name {
      case "hasSuffix": "filter the fetched models, or store the end of the text in a property"
      case "lowercased", "uppercased", "capitalized":
        "use 'localizedLowercase' or 'caseInsensitiveCompare', which do not depend on the case"
      case "localizedCaseInsensitiveContains": "use 'localizedStandardContains'"
      case "map", "compactMap", "reduce", "sorted", "first": "use 'contains', 'allSatisfy', 'filter', 'min' or 'max'"
      default: "assign its result to a constant before the predicate, or filter the fetched models"
      }
    return Unsupported("the method '\(name)' is not supported in a predicate; \(help)", range)
  }
}

extension ExpressionSyntax {
  /// The base of the last `?` of an optional chain, and the rest of the chain as members of that; nil without `?`.
  var optionalChain: (base: ExpressionSyntax, rest: ExpressionSyntax)? {
    func replacing(_ base: ExpressionSyntax, _ kind: (ExpressionSyntax) -> Kind) -> (
      ExpressionSyntax, ExpressionSyntax
    )? {
      if case .optional(let content) = base.kind {
        let hole = ExpressionSyntax(range: base.range, kind: .name(PredicateScope.unwrapped))
        return (content, ExpressionSyntax(range: range, kind: kind(hole)))
      }
      guard let (content, rest) = base.optionalChain else { return nil }
      return (content, ExpressionSyntax(range: range, kind: kind(rest)))
    }
    switch kind {
    case .member(let base, let name): return replacing(base) { .member($0, name: name) }
    case .call(let callee, let arguments): return replacing(callee) { .call($0, arguments) }
    case .subscript(let base, let arguments): return replacing(base) { .subscript($0, arguments) }
    case .forced(let base): return replacing(base) { .forced($0) }
    default: return nil
    }
  }

  /// True for `self`.
  var isSelf: Bool { if case .name("self") = kind { true } else { false } }

  /// True for the literal of a text, or a sum with one.
  var isText: Bool {
    switch kind {
    case .literal(isText: true): true
    case .parenthesized(let content): content.isText
    case .binary(let left, "+", let right): left.isText || right.isText
    default: false
    }
  }

  /// True for an expression with an operator.
  var isCalculated: Bool {
    switch kind {
    case .prefix, .binary: true
    case .parenthesized(let content): content.isCalculated
    default: false
    }
  }

  /// True for an array literal with texts.
  func isListOfTexts(_ parser: ExpressionParser) -> Bool {
    guard case .literal = kind, parser.text(range).hasPrefix("[") else { return false }
    let tokens = parser.tokens.filter { range.contains(Int($0.start)) }
    return tokens.contains { $0.kind == .string } && !tokens.contains { $0.kind == .colon }
  }

  /// True if its evaluation can stop the program: it unwraps, has a subscript or divides.
  var canTrap: Bool {
    switch kind {
    case .forced, .subscript: true
    case .cast(_, .forced, _): true
    case .binary(_, "/", _), .binary(_, "%", _): true
    case .name, .nilLiteral, .literal, .opaque, .closure, .condition: false
    case .parenthesized(let content), .member(let content, _), .optional(let content), .prefix(_, let content),
      .cast(let content, _, _), .effect(_, let content):
      content.canTrap
    case .call(let callee, let arguments): callee.canTrap || arguments.contains { $0.value.canTrap }
    case .binary(let left, _, let right): left.canTrap || right.canTrap
    case .ternary(let condition, let first, let second): condition.canTrap || first.canTrap || second.canTrap
    }
  }

  /// True if a variable, a function or a type is a part of it.
  var namesValue: Bool {
    switch kind {
    case .name: true
    case .nilLiteral, .literal: false
    case .opaque, .closure, .condition, .call, .subscript: true
    case .parenthesized(let content), .member(let content, _), .optional(let content), .forced(let content),
      .prefix(_, let content), .cast(let content, _, _), .effect(_, let content):
      content.namesValue
    case .binary(let left, _, let right): left.namesValue || right.namesValue
    case .ternary(let condition, let first, let second):
      condition.namesValue || first.namesValue || second.namesValue
    }
  }

  /// The first part with `!` behind it.
  var forcedPart: ExpressionSyntax? {
    switch kind {
    case .forced: self
    case .cast(_, .forced, _): self
    case .parenthesized(let content), .member(let content, _), .optional(let content), .prefix(_, let content),
      .cast(let content, _, _), .effect(_, let content):
      content.forcedPart
    case .call(let callee, let arguments), .subscript(let callee, let arguments):
      callee.forcedPart ?? arguments.lazy.compactMap(\.value.forcedPart).first
    case .binary(let left, _, let right): left.forcedPart ?? right.forcedPart
    case .ternary(let condition, let first, let second):
      condition.forcedPart ?? first.forcedPart ?? second.forcedPart
    case .name, .nilLiteral, .literal, .opaque, .closure, .condition: nil
    }
  }
}
