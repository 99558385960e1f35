import SchemaSyntax

extension ExpressionParser {
  /// Parses an expression with operators.
  package mutating func expression() throws -> ExpressionSyntax { try nested { try $0.ternary() } }

  private mutating func ternary() throws -> ExpressionSyntax {
    let start = position
    let condition = try binary(minimum: .lowest)
    guard token.kind == .question, !isAdjacent(position) else { return condition }
    advance()
    let first = try nested { try $0.ternary() }
    try expect(.colon, ":")
    let second = try nested { try $0.ternary() }
    return ExpressionSyntax(range: range(from: start), kind: .ternary(condition, first, second))
  }

  /// The standard library's precedence groups above the ternary operator.
  private enum Precedence: Int {
    case lowest, disjunction, conjunction, comparison, coalescing, casting, range, addition, multiplication, shift

    var next: Precedence { Precedence(rawValue: rawValue + 1) ?? .shift }
  }

  private static func precedence(of sign: String) -> Precedence? {
    switch sign {
    case "||": .disjunction
    case "&&": .conjunction
    case "==", "!=", "<", "<=", ">", ">=", "===", "!==", "~=": .comparison
    case "??": .coalescing
    case "...", "..<": .range
    case "+", "-", "&+", "&-", "|", "^": .addition
    case "*", "/", "%", "&*", "&": .multiplication
    case "<<", ">>", "&<<", "&>>": .shift
    default: nil
    }
  }

  private mutating func binary(minimum: Precedence) throws -> ExpressionSyntax {
    let start = position
    var left = try prefix()
    while true {
      if let cast = castKind() {
        guard minimum.rawValue <= Precedence.casting.rawValue else { return left }
        advance()
        if cast != .check, token.kind == .question || token.kind == .exclamation { advance() }
        let type = try typeText()
        left = ExpressionSyntax(range: range(from: start), kind: .cast(left, cast, type: type))
        continue
      }
      guard let (sign, count) = operatorSign() else { return left }
      guard let precedence = Self.precedence(of: sign) else {
        throw MacroError("the operator '\(sign)' is not supported in a predicate", at: range(of: token))
      }
      guard precedence.rawValue >= minimum.rawValue else { return left }
      try countPart()
      for _ in 0..<count { advance() }
      // Only `??` is right-associative.
      let right = try nested { try $0.binary(minimum: precedence == .coalescing ? precedence : precedence.next) }
      left = ExpressionSyntax(range: range(from: start), kind: .binary(left, sign, right))
    }
  }

  private func castKind() -> ExpressionSyntax.Cast? {
    switch token.keyword {
    case .is: .check
    case .as:
      switch peek().kind {
      case .question where isAdjacent(position + 1): .conditional
      case .exclamation where isAdjacent(position + 1): .forced
      default: .coercion
      }
    default: nil
    }
  }

  /// Returns the binary operator at the position and its token count.
  private func operatorSign() -> (String, Int)? {
    var sign = ""
    var count = 0
    loop: while true {
      let token = peek(count)
      if count > 0, !isAdjacent(position + count) { break }
      switch token.kind {
      case .operatorSign, .leftAngle, .rightAngle, .equal: sign += text(token)
      case .question where count == 0 && peek().kind == .question && isAdjacent(position + 1):
        return ("??", 2)
      case .exclamation where count == 0 && [.equal, .operatorSign].contains(peek().kind) && isAdjacent(position + 1):
        sign += "!"
      default: break loop
      }
      count += 1
      // `..<-1` is a range and a minus.
      if sign == "..<" || sign == "..." { break }
    }
    guard count > 0 else { return nil }
    return (sign, count)
  }

  private mutating func prefix() throws -> ExpressionSyntax {
    let start = position
    switch token.kind {
    case .exclamation:
      advance()
      let operand = try nested { try $0.prefix() }
      return ExpressionSyntax(range: range(from: start), kind: .prefix("!", operand))
    case .operatorSign:
      let sign = text(token)
      advance()
      let operand = try nested { try $0.prefix() }
      return ExpressionSyntax(range: range(from: start), kind: .prefix(sign, operand))
    case .identifier where token.keyword == .try || token.keyword == .await:
      let word = text(token)
      advance()
      if isAdjacent(position), token.kind == .exclamation || token.kind == .question { advance() }
      let operand = try nested { try $0.ternary() }
      return ExpressionSyntax(range: range(from: start), kind: .effect(word, operand))
    default:
      return try postfix()
    }
  }

  /// Parses a type after `as` or `is`.
  mutating func typeText() throws -> String {
    let start = position
    try skipType()
    return text(range(from: start))
  }

  mutating func skipType() throws {
    // `@Sendable`
    while token.kind == .at {
      advance()
      advance()
    }
    if token.keyword == .any || token.keyword == .some { advance() }
    switch token.kind {
    case .leftParen, .leftBracket: skipBalanced()
    case .identifier:
      advance()
      while true {
        if token.kind == .period, peek().kind == .identifier {
          advance()
          advance()
        } else if token.kind == .leftAngle, isAdjacent(position) {
          try skipAngles()
        } else {
          break
        }
      }
    default: throw MacroError("expected a type", at: range(of: token))
    }
    while token.kind == .question || token.kind == .exclamation, isAdjacent(position) {
      // `as Int??` ends before `?? 0`.
      if token.kind == .question, peek().kind == .question, isAdjacent(position + 1) { break }
      advance()
    }
    // A function's result.
    var rest = self
    while [.async, .throws].contains(rest.token.keyword) { rest.advance() }
    guard rest.text(rest.token) == "->" else { return }
    rest.advance()
    try rest.skipType()
    self = rest
  }
}
