import SchemaDiagnostics

extension Parser {
  /// Skips an expression, with balanced brackets, up to a token that cannot belong to it.
  mutating func skipExpression(inBrackets: Bool) {
    let start = position
    while true {
      switch kind {
      case .endOfFile, .rightBrace, .rightParen, .rightBracket, .comma, .semicolon, .mergeMarker:
        return
      default:
        break
      }
      if inBrackets, beginsProperty { return }
      if position > start, token.startsLine {
        if inBrackets {
          if certainlyBeginsDeclaration { return }
        } else if !at(.leftBrace), !continuesExpression {
          // In Swift, a closure after a call may begin a line.
          return
        }
      } else if position == start, beginsDeclaration(at: position), !at(.directive) {
        return
      }
      switch kind {
      case .leftBrace:
        if !inBrackets, beginsAccessors { return }
        skipBalanced()
      case .leftParen, .leftBracket:
        skipBalanced()
      case .leftAngle:
        if !(isAdjacent(position) && skipAngles()) { advance() }
      default:
        advance()
      }
    }
  }

  /// True if the line that begins here continues the previous line's expression.
  var continuesExpression: Bool {
    switch kind {
    case .period, .question, .colon: return true
    case .operatorSign: return !isAdjacent(position + 1) || peek().kind == .endOfFile
    case .leftBrace, .leftParen, .leftBracket: return endsInOperator
    case .identifier where [.as, .is, .else].contains(keyword): return true
    default: return endsInOperator
    }
  }

  private var endsInOperator: Bool {
    guard position > 0 else { return false }
    let previous = tokens[position - 1]
    switch previous.kind {
    // `18...` is complete: a postfix operator has no space before it.
    case .operatorSign: return !isAdjacent(position - 1)
    case .equal, .colon, .comma, .leftAngle: return true
    // After `=`, a question mark is not an operator, regardless of spaces.
    case .question: return !isAdjacent(position - 1) && position > 1 && tokens[position - 2].kind != .equal
    case .identifier:
      return [.try, .await, .as, .is, .in, .else].contains(previous.keyword)
    default: return false
    }
  }

  /// True if the `{` here begins observers or accessors, not a closure.
  private var beginsAccessors: Bool {
    var index = position + 1
    let end = min(position + 16, tokens.count - 1)
    while index < end {
      let token = tokens[index]
      if token.kind == .at {
        index += 2
        continue
      }
      switch token.keyword {
      case .didSet, .willSet, .get, .set:
        let next = tokens[index + 1].kind
        return next == .leftBrace || next == .leftParen
      case .private, .fileprivate, .internal, .public, .package, .nonmutating, .mutating,
        .nonisolated:
        index += 1
      default:
        return false
      }
    }
    return false
  }
}
