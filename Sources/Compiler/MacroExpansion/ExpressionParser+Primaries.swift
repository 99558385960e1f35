import SchemaSyntax

extension ExpressionParser {
  /// Parses an expression with members, calls and subscripts but no operators.
  mutating func postfix() throws -> ExpressionSyntax {
    let start = position
    var base = try primary()
    while let kind = try suffix(of: base) {
      try countPart()
      base = ExpressionSyntax(range: range(from: start), kind: kind)
    }
    return base
  }

  /// Parses a suffix and returns the combined expression; `nil` if no suffix follows.
  private mutating func suffix(of base: ExpressionSyntax) throws -> ExpressionSyntax.Kind? {
    switch token.kind {
    case .period:
      advance()
      return try member(of: base)
    case .leftParen where !token.startsLine || isAdjacent(position):
      guard isAdjacent(position) else { return nil }
      return .call(base, try callArguments())
    case .leftBracket where isAdjacent(position):
      advance()
      return .subscript(base, try arguments(until: .rightBracket, "]"))
    case .leftBrace where beginsTrailingClosure && !token.startsLine && base.isCallable:
      return .call(base, try trailingClosures())
    case .question where isAdjacent(position):
      // `a?.b`, `a?[0]`; `a ?? b` and `a ? b : c` have a space or a second question mark.
      guard [.period, .leftBracket, .question, .exclamation].contains(peek().kind),
        isAdjacent(position + 1) || peek().kind == .period
      else { return nil }
      guard peek().kind != .question else { return nil }
      advance()
      return .optional(base)
    case .exclamation where isAdjacent(position):
      // `a!=b` is a comparison.
      guard !([.equal, .operatorSign].contains(peek().kind) && isAdjacent(position + 1)) else { return nil }
      advance()
      return .forced(base)
    case .operatorSign where isAdjacent(position) && text(token) == "...":
      // `1...` before a closing bracket.
      guard [.rightParen, .rightBracket, .comma].contains(peek().kind) else { return nil }
      advance()
      return .opaque
    default:
      return nil
    }
  }

  private mutating func member(of base: ExpressionSyntax) throws -> ExpressionSyntax.Kind {
    guard token.kind == .identifier || token.kind == .integer else {
      throw MacroError("expected a member name", at: range(of: token))
    }
    let name = text(token)
    advance()
    if token.kind == .leftAngle, isAdjacent(position), skipsGenericArguments() { return .opaque }
    return .member(base, name: name)
  }

  /// Skips `<Type, …>` before a parenthesis; other angle brackets are operators.
  private mutating func skipsGenericArguments() -> Bool {
    let start = position
    if (try? skipAngles()) != nil, token.kind == .leftParen || token.kind == .period, isAdjacent(position) {
      return true
    }
    position = start
    return false
  }

  private mutating func callArguments() throws -> [ExpressionSyntax.Argument] {
    advance()
    return try arguments(until: .rightParen, ")") + (try trailingClosures())
  }

  private mutating func trailingClosures() throws -> [ExpressionSyntax.Argument] {
    guard token.kind == .leftBrace, beginsTrailingClosure, !token.startsLine else { return [] }
    var found = [ExpressionSyntax.Argument(label: nil, value: try closureExpression(), isTrailing: true)]
    while token.kind == .identifier, peek().kind == .colon, peek(2).kind == .leftBrace {
      let label = text(token)
      advance()
      advance()
      found.append(ExpressionSyntax.Argument(label: label, value: try closureExpression(), isTrailing: true))
    }
    return found
  }

  /// True if the brace at the position begins a trailing closure.
  ///
  /// In an `if` condition, the brace begins a closure only if the following tokens show that the body is still to
  /// come.
  private var beginsTrailingClosure: Bool {
    guard !allowsTrailingClosure else { return true }
    var rest = self
    rest.skipBalanced()
    switch rest.token.kind {
    case .leftBrace, .comma: return true
    case .leftBracket, .leftParen, .period, .question, .exclamation, .colon, .equal, .operatorSign, .leftAngle,
      .rightAngle:
      return !rest.token.startsLine
    default: return !rest.token.startsLine && (rest.token.keyword == .is || rest.token.keyword == .as)
    }
  }

  private mutating func closureExpression() throws -> ExpressionSyntax {
    let closure = try nested { try $0.closure() }
    return ExpressionSyntax(range: closure.range, kind: .closure(closure))
  }

  private mutating func arguments(until end: TokenKind, _ spelling: String) throws -> [ExpressionSyntax.Argument] {
    let former = allowsTrailingClosure
    allowsTrailingClosure = true
    defer { allowsTrailingClosure = former }
    var found: [ExpressionSyntax.Argument] = []
    while token.kind != end {
      var label: String?
      if token.kind == .identifier, peek().kind == .colon {
        label = text(token)
        advance()
        advance()
      }
      found.append(ExpressionSyntax.Argument(label: label, value: try expression()))
      guard token.kind == .comma else { break }
      advance()
    }
    try expect(end, spelling)
    return found
  }

  private mutating func primary() throws -> ExpressionSyntax {
    let start = position
    switch token.kind {
    case .integer, .float, .string:
      let literal: ExpressionSyntax.Literal =
        token.kind == .string ? .text : isNonzero(token) ? .nonzero : .other
      advance()
      return ExpressionSyntax(range: range(from: start), kind: .literal(literal))
    case .regex, .curlyString, .version:
      advance()
      return ExpressionSyntax(range: range(from: start), kind: .opaque)
    case .identifier:
      return try word()
    case .leftParen:
      return try parenthesized()
    case .leftBracket:
      // Elements that are not literals are captured as well.
      skipBalanced()
      return ExpressionSyntax(range: range(from: start), kind: .literal(.other))
    case .leftBrace:
      return try closureExpression()
    case .period where peek().kind == .identifier:
      advance()
      advance()
      if token.kind == .leftParen, isAdjacent(position) { skipBalanced() }
      return ExpressionSyntax(range: range(from: start), kind: .literal(.other))
    case .backslash:
      skipKeyPath()
      return ExpressionSyntax(range: range(from: start), kind: .opaque)
    case .directive:
      advance()
      if token.kind == .leftAngle, isAdjacent(position) { try skipAngles() }
      if token.kind == .leftParen, isAdjacent(position) { skipBalanced() }
      if token.kind == .leftBrace, allowsTrailingClosure { skipBalanced() }
      return ExpressionSyntax(range: range(from: start), kind: .opaque)
    default:
      throw MacroError("expected an expression", at: range(of: token))
    }
  }

  private mutating func word() throws -> ExpressionSyntax {
    let start = position
    switch token.keyword {
    case .if:
      let condition = try nested { try $0.condition() }
      return ExpressionSyntax(range: range(from: start), kind: .condition(condition))
    case .nil:
      advance()
      return ExpressionSyntax(range: range(from: start), kind: .nilLiteral)
    case .true, .false:
      advance()
      return ExpressionSyntax(range: range(from: start), kind: .literal(.other))
    case .switch:
      throw MacroError(
        "'switch' is not supported in a predicate; use 'if' and 'else', or compare with '=='", at: range(of: token))
    case .in, .is, .as, .else, .where, .case, .default, .let, .var, .return, .guard, .for, .while, .func, .do:
      throw MacroError("expected an expression before '\(text(token))'", at: range(of: token))
    default:
      break
    }
    let name = name(token)
    advance()
    if token.kind == .leftAngle, isAdjacent(position), skipsGenericArguments() {
      return ExpressionSyntax(range: range(from: start), kind: .opaque)
    }
    return ExpressionSyntax(range: range(from: start), kind: .name(name))
  }

  private mutating func parenthesized() throws -> ExpressionSyntax {
    let start = position
    advance()
    let former = allowsTrailingClosure
    allowsTrailingClosure = true
    defer { allowsTrailingClosure = former }
    // An operator as a function, or an empty tuple.
    if token.kind == .operatorSign || token.kind == .rightParen, peek().kind == .rightParen || token.kind == .rightParen
    {
      while token.kind != .rightParen { advance() }
      advance()
      return ExpressionSyntax(range: range(from: start), kind: .opaque)
    }
    if token.kind == .identifier, peek().kind == .colon {
      position = start
      skipBalanced()
      return ExpressionSyntax(range: range(from: start), kind: .opaque)
    }
    let content = try expression()
    if token.kind == .comma {
      position = start
      skipBalanced()
      return ExpressionSyntax(range: range(from: start), kind: .opaque)
    }
    try expect(.rightParen, ")")
    return ExpressionSyntax(range: range(from: start), kind: .parenthesized(content))
  }

  mutating func skipKeyPath() {
    advance()
    while [.identifier, .period, .question, .exclamation, .leftBracket].contains(token.kind), isAdjacent(position) {
      if token.kind == .leftBracket { skipBalanced() } else { advance() }
    }
  }
}

extension ExpressionSyntax {
  /// True if a trailing closure may follow.
  fileprivate var isCallable: Bool {
    switch kind {
    case .name(let name): name != "self"
    case .member: true
    default: false
    }
  }
}
