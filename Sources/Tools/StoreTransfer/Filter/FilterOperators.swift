import Foundation
import MacroExpansion
import Trellis

extension FilterReader {
  mutating func prefix(
    _ sign: String, _ content: FilterExpression, _ range: Range<Int>, _ expected: FilterType?
  ) throws -> TypedNode {
    switch sign {
    case "!":
      let operand = try condition(content)
      return TypedNode(.bool, FilterNode(PredicateExpressions.Negation(operand)))
    case "-":
      if case .literal = content.kind { return try number("-" + source(content), expected ?? .int, range) }
      return try negative(try read(content, expecting: expected?.unwrapped), range)
    default: throw error("the operator '\(sign)' is not supported in a filter", range)
    }
  }

  mutating func binary(
    _ left: FilterExpression, _ sign: String, _ right: FilterExpression, _ whole: FilterExpression,
    _ expected: FilterType?
  ) throws -> TypedNode {
    let range = whole.range
    switch sign {
    case "&&", "||":
      var operands: [FilterNode<Bool>] = []
      for operand in Self.operands(of: whole, sign) { operands.append(try condition(operand)) }
      guard let joined = Self.joined(operands[...], isConjunction: sign == "&&") else {
        throw error("a condition is missing", range)
      }
      return TypedNode(.bool, joined)
    case "==", "!=":
      let (left, right) = try equatableSides(left, right, range)
      return try equality(left, right, isNegated: sign == "!=", range)
    case "<", "<=", ">", ">=":
      let (first, second) = try sides(left, right, expected: nil)
      try check(first, left, second, right, sign, range)
      return try comparison(first, second, sign, range)
    case "+", "-", "*", "/", "%":
      let (first, second) = try sides(left, right, expected: expected?.unwrapped)
      try check(first, left, second, right, sign, range)
      return try arithmetic(first, second, sign, range)
    case "??":
      let optional = try read(left, expecting: expected?.optional)
      guard case .optional(let wrapped) = optional.type else {
        throw error(
          "'??' needs a value that may be nil, and '\(source(left).prefix(40))' is '\(optional.type)'", left.range)
      }
      return try coalesced(optional, try defaultValue(right, wrapped), range)
    case "~=": return try membership(of: right, inRange: left, range)
    case "...", "..<":
      throw error("a range is only possible before 'contains', as in '(1...3).contains($0.count)'", range)
    default: throw error("the operator '\(sign)' is not supported in a filter", range)
    }
  }

  /// Reads the right side of `??`. A list of rows can only default to `[]`.
  private mutating func defaultValue(_ expression: FilterExpression, _ type: FilterType) throws -> TypedNode {
    guard case .rows = type, source(expression).filter({ !$0.isWhitespace }) == "[]" else {
      return try read(expression, as: type)
    }
    return TypedNode(type, FilterNode(PredicateExpressions.Value<[FilterRow]>([])))
  }

  /// Returns the operands in a chain of `&&` or `||`, from left to right.
  private static func operands(of expression: FilterExpression, _ sign: String) -> [FilterExpression] {
    var operands: [FilterExpression] = []
    var rest = expression
    while case .binary(let left, sign, let right) = rest.kind {
      operands.append(right)
      rest = left
    }
    return [rest] + operands.reversed()
  }

  /// Reads both operands. A literal takes the opposite operand's type.
  private mutating func sides(
    _ left: FilterExpression, _ right: FilterExpression, expected: FilterType?
  ) throws -> (TypedNode, TypedNode) {
    if isLiteral(left), !isLiteral(right) {
      let second = try read(right, expecting: expected)
      return (try read(left, expecting: second.type), second)
    }
    let first = try read(left, expecting: expected)
    return (first, try read(right, expecting: first.type))
  }

  /// Reads the operands for `==`, either of which may be optional.
  private mutating func equatableSides(
    _ left: FilterExpression, _ right: FilterExpression, _ range: Range<Int>
  ) throws -> (TypedNode, TypedNode) {
    var (first, second) = try sides(left, right, expected: nil)
    if first.type != second.type, first.type.optional == second.type.optional {
      if first.type.isOptional {
        second = try wrapped(second, right.range)
      } else {
        first = try wrapped(first, left.range)
      }
    }
    guard first.type == second.type else {
      throw error("'\(first.type)' and '\(second.type)' cannot be compared", range)
    }
    switch first.type.unwrapped {
    case .scalar, .row: return (first, second)
    case .structure, .hidden:
      let isNil = [left, right].contains { if case .nilLiteral = $0.kind { true } else { false } }
      if isNil { return (first, second) }
      throw error("values of '\(first.type.unwrapped)' can only be compared with nil, or by their properties", range)
    case .rows, .list, .optional: throw error("lists cannot be compared: use 'contains', 'isEmpty' or 'count'", range)
    }
  }

  /// Checks that both operands have the same, non-optional type.
  private func check(
    _ first: TypedNode, _ left: FilterExpression, _ second: TypedNode, _ right: FilterExpression, _ sign: String,
    _ range: Range<Int>
  ) throws {
    for (side, expression) in [(first, left), (second, right)] where side.type.isOptional {
      throw error(
        "'\(sign)' needs a value that is not nil, and '\(source(expression).prefix(40))' is '\(side.type)': "
          + "write '??' with a value, or '!'", expression.range)
    }
    guard first.type == second.type else {
      throw error("'\(sign)' needs two values of the same type, not '\(first.type)' and '\(second.type)'", range)
    }
  }

  mutating func forced(_ content: FilterExpression, _ expected: FilterType?) throws -> TypedNode {
    let optional = try read(content, expecting: expected?.optional)
    guard optional.type.isOptional else {
      throw error("'\(optional.type)' is never nil: remove '!'", content.range)
    }
    return try unwrapped(optional, content.range)
  }

  mutating func conditional(
    _ test: FilterExpression, _ first: FilterExpression, _ second: FilterExpression, _ expected: FilterType?,
    _ range: Range<Int>
  ) throws -> TypedNode {
    let test = try condition(test)
    let (yes, no) = try sides(first, second, expected: expected)
    guard yes.type == no.type else {
      throw error("both results of '?' need the same type, not '\(yes.type)' and '\(no.type)'", range)
    }
    return try choice(test, yes, no, range)
  }

  /// True if the expression takes the opposite operand's type.
  func isLiteral(_ expression: FilterExpression) -> Bool {
    switch expression.kind {
    case .literal, .nilLiteral: true
    case .parenthesized(let content), .prefix("-", let content): isLiteral(content)
    case .binary(let left, let sign, let right):
      ["+", "-", "*", "/", "%"].contains(sign) && isLiteral(left) && isLiteral(right)
    default: false
    }
  }
}
