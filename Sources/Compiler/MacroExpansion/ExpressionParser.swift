import SchemaDiagnostics
package import SchemaSyntax

/// Parses a freestanding macro use: `#Predicate<Trip> { … }`.
///
/// The parser understands the expressions that predicates support. Unsupported expressions become opaque text ranges.
package struct ExpressionParser {
  let file: SourceFile
  let tokens: [Token]
  var position = 0
  /// False while `{` begins a statement's body instead of a trailing closure.
  var allowsTrailingClosure = true
  private var depth = 0
  /// The compiler's own parser has a limit as well.
  private static let maximumDepth = 128
  /// The number of operators and members in the macro. Functions that walk the tree need stack space for each.
  private var parts = 0
  private static let maximumParts = 400

  package init(_ text: String) {
    file = SourceFile(path: "", text: text)
    tokens = Lexer.lex(file, index: 0).0
  }

  // MARK: tokens

  package var token: Token { tokens[min(position, tokens.count - 1)] }

  func peek(_ distance: Int = 1) -> Token { tokens[min(position + distance, tokens.count - 1)] }

  package var isAtEnd: Bool { token.kind == .endOfFile }

  package mutating func advance() { if position < tokens.count - 1 { position += 1 } }

  package func text(_ token: Token) -> String { file.text(from: Int(token.start), to: Int(token.end)) }

  /// Returns a token's name without backticks.
  func name(_ token: Token) -> String { token.isQuoted ? String(text(token).dropFirst().dropLast()) : text(token) }

  package func text(_ range: Range<Int>) -> String { file.text(from: range.lowerBound, to: range.upperBound) }

  /// Returns true if the token at an index directly follows the previous token.
  func isAdjacent(_ index: Int) -> Bool {
    index > 0 && index < tokens.count && tokens[index - 1].end == tokens[index].start
  }

  func range(from start: Int) -> Range<Int> {
    let first = Int(tokens[min(start, tokens.count - 1)].start)
    return first..<max(first, position > 0 ? Int(tokens[position - 1].end) : first)
  }

  func range(of token: Token) -> Range<Int> { Int(token.start)..<max(Int(token.start), Int(token.end)) }

  mutating func expect(_ kind: TokenKind, _ spelling: String) throws {
    guard token.kind == kind else { throw MacroError("expected '\(spelling)'", at: range(of: token)) }
    advance()
  }

  /// Runs `body` one level deeper.
  mutating func nested<Result>(_ body: (inout Self) throws -> Result) throws -> Result {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.maximumDepth else {
      throw MacroError("this expression is nested too deeply; assign part of it to a constant", at: range(of: token))
    }
    return try body(&self)
  }

  /// Counts an operator or a member. A chain's tree is as deep as the chain is long.
  mutating func countPart() throws {
    parts += 1
    guard parts <= Self.maximumParts else {
      throw MacroError(
        "this predicate has more than \(Self.maximumParts) operators and members; divide it into several predicates",
        at: range(of: token))
    }
  }

  // MARK: the macro

  /// Parses the macro's generic arguments, including angle brackets, and the closure. The arguments are `nil` if the
  /// macro has none.
  package mutating func macro() throws -> (arguments: String?, closure: ClosureSyntax) {
    guard token.kind == .directive else { throw MacroError("expected a macro", at: range(of: token)) }
    advance()
    var arguments: String?
    if token.kind == .leftAngle {
      let start = position
      try skipAngles()
      arguments = text(range(from: start))
    }
    guard token.kind == .leftParen else { return (arguments, try closure()) }
    advance()
    // The parentheses are empty, so the closure follows.
    if token.kind == .rightParen {
      advance()
      return (arguments, try closure())
    }
    if token.kind == .identifier, peek().kind == .colon {
      advance()
      advance()
    }
    guard token.kind == .leftBrace else {
      throw MacroError("the argument must be a closure", at: range(of: token))
    }
    let found = try closure()
    try expect(.rightParen, ")")
    return (arguments, found)
  }

  /// Skips generic arguments.
  mutating func skipAngles() throws {
    let first = token
    var open = 0
    while !isAtEnd {
      switch token.kind {
      case .leftAngle: open += 1
      case .rightAngle: open -= 1
      case .leftParen, .leftBracket, .leftBrace:
        skipBalanced()
        continue
      case .operatorSign:
        // The `->` in a function type is not a bracket.
        break
      default: break
      }
      advance()
      if open == 0 { return }
    }
    throw MacroError("'<' without '>'", at: range(of: first))
  }

  /// Skips from an opening bracket past the matching bracket.
  mutating func skipBalanced() {
    var open = 0
    while !isAtEnd {
      switch token.kind {
      case .leftParen, .leftBracket, .leftBrace: open += 1
      case .rightParen, .rightBracket, .rightBrace: open -= 1
      default: break
      }
      advance()
      if open <= 0 { return }
    }
  }
}
