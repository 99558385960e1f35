import SwiftSource

extension PredicateEmitter {
  /// Returns the node for an optional that is unwrapped in a part of the predicate that uses the model.
  ///
  /// The function `optional` is unavailable for captured models; the error message suggests a replacement. The call is
  /// assigned to a separate constant, because Swift reports only one error per expression and might report a different
  /// error.
  mutating func optional(_ base: ExpressionSyntax, _ scope: PredicateScope, _ block: inout Block) throws -> Code {
    let value = try operand(base, scope, &block)
    guard !isInCapture, scope.isClosed(base, parser) else { return value }
    return constant(Node(code: "\(Self.functions).optional(\(value))", isInline: false), &block)
  }

  mutating func flatMap(
    _ base: ExpressionSyntax, _ scope: PredicateScope, _ block: inout Block,
    _ body: (inout Self, PredicateScope, inout Block) throws -> Node
  ) throws -> Node {
    let value = try optional(base, scope, &block)
    let name = fresh("value")
    let inner = scope.adding(PredicateScope.unwrapped, .variable(name))
    let closure = try build(parameters: ["\(carried: name)"]) { emitter, block in try body(&emitter, inner, &block) }
    return call("flatMap", [value], closure)
  }

  mutating func element(
    of base: ExpressionSyntax, _ arguments: [ExpressionSyntax.Argument], _ range: Range<Int>, _ scope: PredicateScope,
    _ block: inout Block
  ) throws -> Node {
    guard !(isInCapture && base.isType(scope)) else {
      throw Unsupported("a static subscript is not supported in a predicate", range)
    }
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

  mutating func method(
    _ callee: ExpressionSyntax, _ arguments: [ExpressionSyntax.Argument], _ range: Range<Int>, _ scope: PredicateScope,
    _ block: inout Block
  ) throws -> Node {
    guard case .member(let base, let name) = callee.kind, !(isInCapture && base.isType(scope)) else {
      if case .name(let name) = callee.kind, name.first?.isUppercase != true {
        throw Unsupported(
          "the function '\(name)' is not supported in a predicate; call it beforehand and use the result", range)
      }
      throw Unsupported("an initializer cannot use model values in a predicate", range)
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
    if name == "contains", base.isList(parser), scope.isClosed(base, parser) {
      // Foundation's function treats single-character strings as characters.
      let values: Code = "literals: \(try readable(base, scope))"
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
    // The closure is not called for an empty sequence.
    let body = try self.closure(closure, scope.conditional)
    return isTrailing ? call(function, [sequence], body) : call(function, [sequence, "\(label)\(body)"])
  }

  private func unsupportedMethod(_ name: String, _ range: Range<Int>) -> Unsupported {
    let help =
      switch name {
      case "hasSuffix": "filter the fetched models, or store the suffix in a property"
      case "lowercased", "uppercased", "capitalized":
        "use 'localizedLowercase' or 'caseInsensitiveCompare', which do not depend on the case"
      case "localizedCaseInsensitiveContains": "use 'localizedStandardContains'"
      case "map", "compactMap", "reduce", "sorted", "first": "use 'contains', 'allSatisfy', 'filter', 'min' or 'max'"
      default: "assign its result to a constant before the predicate, or filter the fetched models"
      }
    return Unsupported("the method '\(name)' is not supported in a predicate; \(help)", range)
  }
}
