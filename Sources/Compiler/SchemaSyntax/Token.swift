/// What a token is, as far as its first bytes tell.
package enum TokenKind: UInt8, Sendable {
  case identifier
  case integer, float
  /// Three or more numbers with dots between them.
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
  /// Text between curly quotes, as word processors write them, or between single quotes.
  case curlyString
  /// A line of `<<<<<<<`, `=======` or `>>>>>>>`.
  case mergeMarker
  /// Bytes that begin no token.
  case unknown
  case endOfFile
}

/// One token: a range of bytes and what it is. What lies between two tokens is trivia.
///
/// Twelve bytes without references, so that a file's tokens are one allocation.
package struct Token: Sendable {
  package var start: UInt32
  package var end: UInt32
  package var kind: TokenKind
  /// The word, when the token is an identifier without back-ticks that means something to Swift.
  package var keyword: Keyword?
  /// Whether a line break lies between the previous token and this one, or nothing at all does.
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
