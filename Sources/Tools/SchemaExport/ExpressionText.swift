import SchemaDiagnostics
import SchemaSyntax

/// Normalizes Swift expressions independently of the source layout.
enum ExpressionText {
  /// Returns an expression with comments removed, on a single line unless a closure has several statements.
  static func line(_ text: String) -> String {
    let file = SourceFile(path: "", text: text)
    let tokens = Lexer.lex(file, index: 0).0.filter { $0.kind != .endOfFile }
    var result = ""
    var depth = 0
    for (index, token) in tokens.enumerated() {
      if token.kind == .rightBrace { depth -= 1 }
      if index > 0, token.startsLine, depth > 0, tokens[index - 1].kind != .leftBrace {
        result += "\n"
      } else if index > 0, isSpaced(tokens, index) {
        result += " "
      }
      if token.kind == .leftBrace { depth += 1 }
      result += file.text(from: Int(token.start), to: Int(token.end))
    }
    return result
  }

  private static func isSpaced(_ tokens: [Token], _ index: Int) -> Bool {
    let (left, right) = (tokens[index - 1], tokens[index])
    let isWritten = right.start > left.end
    if isBinary(tokens, index) || isBinary(tokens, index - 1) { return true }
    switch (left.kind, right.kind) {
    case (_, .comma), (_, .colon), (_, .semicolon), (_, .rightParen), (_, .rightBracket): return false
    case (.comma, _), (.colon, _), (.semicolon, _): return true
    case (.leftParen, _), (.leftBracket, _), (.backslash, _), (.at, _): return false
    // Swift reads `a - b` and `a -b` differently.
    case (.operatorSign, _), (_, .operatorSign), (.equal, _), (_, .equal), (.leftAngle, _), (_, .leftAngle),
      (.rightAngle, _), (_, .rightAngle), (.question, _), (_, .question), (.exclamation, _), (_, .exclamation):
      return isWritten
    // `1.a` would be a different token.
    case (.integer, .period), (.float, .period): return isWritten
    case (_, .period), (.period, _): return isWritten && left.kind != .identifier && left.kind != .period
    case (.rightBrace, .leftParen): return false
    case (.leftBrace, _), (_, .rightBrace), (_, .leftBrace), (.rightBrace, _): return true
    case (.identifier, .leftParen), (.identifier, .leftBracket): return left.keyword != nil && isWritten
    case (.rightParen, .leftParen), (.rightBracket, .leftParen), (.rightParen, .leftBracket): return false
    default: return isWritten
    }
  }

  /// True for an operator between two values, with equal spacing on both sides.
  private static func isBinary(_ tokens: [Token], _ index: Int) -> Bool {
    guard tokens[index].kind == .operatorSign, index > 0, index + 1 < tokens.count else { return false }
    let (left, right) = (tokens[index - 1], tokens[index + 1])
    let values: Set<TokenKind> = [
      .identifier, .integer, .float, .string, .rightParen, .rightBracket, .rightBrace, .rightAngle, .exclamation,
    ]
    return values.contains(left.kind)
      && (tokens[index].start > left.end) == (right.start > tokens[index].end)
  }
}
