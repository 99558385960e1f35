import SchemaSyntax

/// Questions about the text of expressions that are not taken apart.
extension ExpressionParser {
  /// The names of values in a range of text, also those inside the interpolations of strings. The names of members and
  /// the labels of arguments are no such names.
  func names(in range: Range<Int>) -> [(name: String, place: Range<Int>)] {
    var found: [(name: String, place: Range<Int>)] = []
    for (index, token) in tokens.enumerated()
    where Int(token.start) >= range.lowerBound && Int(token.end) <= range.upperBound {
      // `in` is no name, `` `in` `` is.
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

  /// True for the label of an argument. The keys of a dictionary and the parameters of a closure have a colon behind them
  /// as well.
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

  /// True for the parenthesis of `(name: Type) in`.
  private func beginsParameters(_ opening: Int) -> Bool {
    var rest = self
    rest.position = opening
    rest.skipBalanced()
    return [.in, .async, .throws].contains(rest.token.keyword) || text(rest.token) == "->"
  }

  /// True for the bracket of `value[…]`.
  func isSubscript(_ opening: Int) -> Bool {
    tokens[opening].kind == .leftBracket && isAdjacent(opening) && tokens[opening - 1].endsValue
  }

  /// The interpolations of a string with their parentheses, and where they begin.
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
      // From the parenthesis to the one that closes it.
      let start = index + escape.count
      index = start + 1
      // What is escaped begins no interpolation: a backslash in `"\\(x)"`.
      guard bytes[start] == UInt8(ascii: "(") else { continue }
      var content = ExpressionParser(String(decoding: bytes[start...], as: UTF8.self))
      content.skipBalanced()
      found.append((content, Int(token.start) + start))
      index = max(start + content.end, index)
    }
    return found
  }

  /// Where the last token before the position ends.
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
