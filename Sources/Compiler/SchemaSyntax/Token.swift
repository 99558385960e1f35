/// The kind of a token, as far as the first bytes determine it.
package enum TokenKind: UInt8, Sendable {
  case identifier
  case integer, float
  /// Three or more numbers separated by periods.
  case version
  case string
  case leftParen, rightParen, leftBracket, rightBracket, leftBrace, rightBrace
  case leftAngle, rightAngle
  case comma, colon, semicolon, period, equal, at, backslash, question, exclamation
  /// `#if`, `#Unique`: a number sign and the word after it.
  case directive
  /// Any other run of operator characters.
  case operatorSign
  case regex
  /// Text between curly quotes, as inserted by word processors, or between single quotes.
  case curlyString
  /// A line of `<<<<<<<`, `=======` or `>>>>>>>`.
  case mergeMarker
  /// Bytes that begin no token.
  case unknown
  case endOfFile
}

/// A token: a byte range and a kind. The text between two tokens is trivia.
///
/// Twelve bytes and no references, so that a file's tokens are a single allocation.
package struct Token: Sendable {
  package var start: UInt32
  package var end: UInt32
  package var kind: TokenKind
  /// The keyword, if the token is an identifier that is not in backticks and is known to the parser.
  package var keyword: Keyword?
  /// True if a line break precedes this token, or if it is the first token.
  package var startsLine: Bool

  package var isQuoted: Bool { kind == .identifier && quoted }
  var quoted: Bool

  init(kind: TokenKind, start: Int, end: Int, startsLine: Bool) {
    self.kind = kind
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.startsLine = startsLine
    keyword = nil
    quoted = false
  }
}
