import SchemaSyntax

/// Queries about the text of expressions that are not parsed.
extension ExpressionParser {
  /// Returns the names of values in a text range, including names in string interpolations. Member names and argument
  /// labels are excluded.
  func names(in range: Range<Int>) -> [(name: String, place: Range<Int>)] {
    var found: [(name: String, place: Range<Int>)] = []
    for (index, token) in tokens.enumerated()
    where Int(token.start) >= range.lowerBound && Int(token.end) <= range.upperBound {
      // `in` is not a name, but `` `in` `` is.
      if token.kind == .identifier, token.keyword.map({ !$0.isReserved || $0 == .selfValue }) ?? true {
        let isMember = index > 0 && tokens[index - 1].kind == .period
        if !isMember, !isLabel(index) { found.append((name(token), Int(token.start)..<Int(token.end))) }
      }
      if token.kind == .string {
        for (content, start) in interpolations(of: token) {
          found += content.names(in: 0..<content.end).map { name, place in
            (name, place.lowerBound + start..<place.upperBound + start)
          }
        }
      }
    }
    return found
  }

  /// Returns true for an argument label. Dictionary keys and closure parameters are followed by a colon as well.
  private func isLabel(_ index: Int) -> Bool {
    guard index > 0, index + 1 < tokens.count, tokens[index + 1].kind == .colon,
      [.leftParen, .comma].contains(tokens[index - 1].kind)
    else { return false }
    var open = 0
    for opening in (0..<index).reversed() {
      switch tokens[opening].kind {
      case .rightParen, .rightBracket, .rightBrace: open += 1
      case .leftParen, .leftBracket, .leftBrace:
        guard open == 0 else {
          open -= 1
          continue
        }
        return tokens[opening].kind == .leftParen ? !beginsParameters(opening) : isSubscript(opening)
      default: break
      }
    }
    return false
  }

  /// Returns true for the parenthesis of `(name: Type) in`.
  private func beginsParameters(_ opening: Int) -> Bool {
    var rest = self
    rest.position = opening
    rest.skipBalanced()
    return [.in, .async, .throws].contains(rest.token.keyword) || text(rest.token) == "->"
  }

  /// Returns true for the bracket of `value[…]`.
  func isSubscript(_ opening: Int) -> Bool {
    tokens[opening].kind == .leftBracket && isAdjacent(opening) && tokens[opening - 1].endsValue
  }

  /// Returns a string's interpolations, including their parentheses, and their byte offsets.
  func interpolations(of token: Token) -> [(content: ExpressionParser, start: Int)] {
    let bytes = Array(text(token).utf8)
    let hashes = bytes.prefix { $0 == UInt8(ascii: "#") }
    let escape = [UInt8(ascii: "\\")] + hashes
    var found: [(content: ExpressionParser, start: Int)] = []
    var index = 0
    while index + escape.count < bytes.count {
      guard bytes[index...].starts(with: escape) else {
        index += 1
        continue
      }
      // The range between matching parentheses.
      let start = index + escape.count
      index = start + 1
      // An escaped backslash begins no interpolation, as in `"\\(x)"`.
      guard bytes[start] == UInt8(ascii: "(") else { continue }
      var content = ExpressionParser(String(decoding: bytes[start...], as: UTF8.self))
      content.skipBalanced()
      found.append((content, Int(token.start) + start))
      index = max(start + content.end, index)
    }
    return found
  }

  /// The end offset of the last token before the position.
  var end: Int { position > 0 ? Int(tokens[position - 1].end) : 0 }
}

extension Token {
  /// True if a value can end with the token.
  var endsValue: Bool {
    switch kind {
    case .identifier, .integer, .float, .string, .rightParen, .rightBracket, .rightBrace, .exclamation, .question: true
    default: false
    }
  }
}
