import SchemaSyntax

/// Counts the stored properties that a class declares in its source.
enum StoredProperties {
  static func count(in file: SwiftFile, _ tokens: Range<Int>) -> Int {
    var count = 0
    var token = tokens.lowerBound
    var isStatic = false
    while token < tokens.upperBound {
      switch file.tokens[token].kind {
      case .leftBrace, .leftParen, .leftBracket:
        token = file.closing(token) ?? tokens.upperBound
        isStatic = false
      case .identifier where ["static", "class"].contains(file.text(token)): isStatic = true
      case .identifier where ["func", "init", "subscript"].contains(file.text(token)): isStatic = false
      case .identifier where ["var", "let"].contains(file.text(token)):
        let (found, end) = bindings(file, token + 1, tokens.upperBound)
        if !isStatic { count += found }
        isStatic = false
        token = end
        continue
      default: break
      }
      token += 1
    }
    return count
  }

  /// Returns the stored property count after `var`, and the end of the declaration.
  private static func bindings(_ file: SwiftFile, _ start: Int, _ limit: Int) -> (count: Int, end: Int) {
    var count = 1
    var hasValue = false
    var token = start
    while token < limit {
      let current = file.tokens[token]
      if token > start, current.startsLine,
        ![.equal, .colon, .leftBrace, .period, .operatorSign, .question].contains(current.kind),
        ![.equal, .colon, .comma, .operatorSign].contains(file.tokens[token - 1].kind)
      {
        break
      }
      switch current.kind {
      case .semicolon: return (count, token + 1)
      case .equal: hasValue = true
      case .comma:
        count += 1
        hasValue = false
      case .leftBrace:
        guard let close = file.closing(token) else { return (count, limit) }
        // A block without a value is a getter unless it contains property observers.
        if !hasValue, !["didSet", "willSet"].contains(file.text(token + 1)) { count -= 1 }
        token = close
      case .leftParen, .leftBracket: token = file.closing(token) ?? limit
      case .rightBrace: return (count, token)
      default: break
      }
      token += 1
    }
    return (max(count, 0), token)
  }
}
