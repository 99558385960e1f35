import SchemaSyntax

extension ExpressionParser {
  /// Parses a closure with braces.
  package mutating func closure() throws -> ClosureSyntax {
    let start = position
    try expect(.leftBrace, "{")
    let former = allowsTrailingClosure
    allowsTrailingClosure = true
    defer { allowsTrailingClosure = former }
    var closure = ClosureSyntax(range: 0..<0, parameters: nil, body: [])
    if beginsSignature { try signature(&closure) }
    closure.body = try statements()
    try expect(.rightBrace, "}")
    closure.range = range(from: start)
    return closure
  }

  /// True if the closure has an `in` before the first statement.
  private var beginsSignature: Bool {
    var index = position
    var open = 0
    while index < tokens.count {
      let token = tokens[index]
      switch token.kind {
      case .leftParen, .leftBracket: open += 1
      case .rightParen, .rightBracket: open -= 1
      case .leftBrace, .rightBrace, .semicolon, .endOfFile: return false
      case .string, .equal: if open == 0 { return false }
      default: break
      }
      // `$0.in` is a property.
      let isMember = index > position && tokens[index - 1].kind == .period
      if token.keyword == .in, open == 0, !isMember { return index > position }
      if open < 0 || open == 0 && !isMember && token.keyword?.beginsStatement == true { return false }
      index += 1
    }
    return false
  }

  private mutating func signature(_ closure: inout ClosureSyntax) throws {
    // `@Sendable`, `@MainActor`
    while token.kind == .at {
      advance()
      advance()
    }
    let hasCaptures = token.kind == .leftBracket
    if hasCaptures { closure.captures = try captures() }
    var names: [String] = []
    if token.kind == .leftParen {
      advance()
      while token.kind == .identifier {
        names.append(name(token))
        advance()
        // `outer inner: Type`
        if token.kind == .identifier {
          names[names.count - 1] = name(token)
          advance()
        }
        while !isAtEnd, token.kind != .comma, token.kind != .rightParen {
          if [.leftParen, .leftBracket].contains(token.kind) {
            skipBalanced()
          } else if token.kind == .leftAngle {
            try skipAngles()
          } else {
            advance()
          }
        }
        if token.kind == .comma { advance() }
      }
      try expect(.rightParen, ")")
    } else {
      while token.kind == .identifier, token.keyword != .in {
        names.append(name(token))
        advance()
        guard token.kind == .comma else { break }
        advance()
      }
    }
    // Effects and the result type.
    while !isAtEnd, token.keyword != .in { advance() }
    advance()
    // A closure with a capture list but no parameters can still use `$0`.
    if !(names.isEmpty && hasCaptures) { closure.parameters = names }
  }

  private mutating func captures() throws -> [ClosureSyntax.Capture] {
    advance()
    var found: [ClosureSyntax.Capture] = []
    while token.kind != .rightBracket {
      guard token.kind == .identifier, ![.weak, .unowned].contains(token.keyword) else {
        throw MacroError("only values can be captured in a predicate", at: range(of: token))
      }
      if peek().kind == .equal {
        let (name, type, value) = try binding()
        if let value { found.append(ClosureSyntax.Capture(name: name, type: type, value: value)) }
      } else {
        advance()
      }
      guard token.kind == .comma else { break }
      advance()
    }
    try expect(.rightBracket, "]")
    return found
  }

  private mutating func statements() throws -> [StatementSyntax] {
    var found: [StatementSyntax] = []
    while !isAtEnd, token.kind != .rightBrace {
      if token.kind == .semicolon {
        advance()
        continue
      }
      // `let a = 1, b = 2`
      if token.kind == .comma, case .constant? = found.last?.kind {
        found.append(try constant())
        continue
      }
      if !found.isEmpty, !token.startsLine, tokens[position - 1].kind != .semicolon {
        throw MacroError("unexpected '\(text(token))' after an expression", at: range(of: token))
      }
      found.append(try nested { try $0.statement() })
    }
    return found
  }

  private mutating func block() throws -> [StatementSyntax] {
    try expect(.leftBrace, "{")
    let former = allowsTrailingClosure
    allowsTrailingClosure = true
    defer { allowsTrailingClosure = former }
    let found = try statements()
    try expect(.rightBrace, "}")
    return found
  }

  private mutating func statement() throws -> StatementSyntax {
    let start = position
    switch token.keyword {
    case .return:
      advance()
      let value = try expression()
      return StatementSyntax(range: range(from: start), kind: .value(value, isReturn: true))
    case .let: return try constant()
    case .if:
      let found = try condition()
      return StatementSyntax(range: range(from: start), kind: .condition(found))
    case .guard:
      advance()
      let conditions = try conditions()
      guard token.keyword == .else else { throw MacroError("expected 'else'", at: range(of: token)) }
      advance()
      let body = try block()
      return StatementSyntax(range: range(from: start), kind: .guard(conditions, body))
    case .var, .for, .while, .do, .func, .defer, .repeat, .throw, .struct, .class, .enum:
      let word = text(token)
      throw MacroError(
        "'\(word)' is not supported in a predicate: use expressions, 'let', 'if' and 'guard'", at: range(of: token))
    default:
      let value = try expression()
      return StatementSyntax(range: range(from: start), kind: .value(value, isReturn: false))
    }
  }

  /// Parses a constant after `let` or a comma.
  private mutating func constant() throws -> StatementSyntax {
    let start = position
    advance()
    let (name, type, value) = try binding()
    guard let value else { throw MacroError("a constant needs a value", at: range(from: start)) }
    return StatementSyntax(range: range(from: start), kind: .constant(name: name, type: type, value))
  }

  /// Parses an `if` with all branches.
  mutating func condition() throws -> IfSyntax {
    advance()
    let conditions = try conditions()
    let body = try block()
    guard token.keyword == .else else { return IfSyntax(conditions: conditions, body: body, otherwise: nil) }
    advance()
    guard token.keyword == .if else { return IfSyntax(conditions: conditions, body: body, otherwise: try block()) }
    let start = position
    let other = try nested { try $0.condition() }
    let statement = StatementSyntax(range: range(from: start), kind: .condition(other))
    return IfSyntax(conditions: conditions, body: body, otherwise: [statement])
  }

  private mutating func conditions() throws -> [ConditionSyntax] {
    let former = allowsTrailingClosure
    allowsTrailingClosure = false
    defer { allowsTrailingClosure = former }
    var found: [ConditionSyntax] = []
    while true {
      if token.keyword == .let {
        advance()
        let start = position
        let (name, _, value) = try binding()
        found.append(
          .binding(name: name, value ?? ExpressionSyntax(range: range(from: start), kind: .name(name))))
      } else if token.keyword == .case || token.keyword == .var || token.kind == .directive {
        throw MacroError(
          "this condition is not supported in a predicate: use expressions and 'if let'", at: range(of: token))
      } else {
        found.append(.test(try expression()))
      }
      guard token.kind == .comma else { return found }
      advance()
    }
  }

  /// Parses a constant's name with the optional type and value.
  private mutating func binding() throws -> (String, type: String?, ExpressionSyntax?) {
    guard token.kind == .identifier else {
      throw MacroError("only single constants are supported in a predicate", at: range(of: token))
    }
    let name = name(token)
    advance()
    var type: String?
    if token.kind == .colon {
      advance()
      type = try typeText()
    }
    guard token.kind == .equal else { return (name, type, nil) }
    advance()
    return (name, type, try expression())
  }
}

extension Keyword {
  /// True for words that can only begin a statement.
  fileprivate var beginsStatement: Bool {
    switch self {
    case .if, .let, .guard, .return, .switch, .var, .for, .while: true
    default: false
    }
  }
}
