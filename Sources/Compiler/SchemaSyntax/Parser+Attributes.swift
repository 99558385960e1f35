import SchemaDiagnostics

extension Parser {
  mutating func parseAttributesAndModifiers() {
    while true {
      if at(.at) {
        parseAttribute()
      } else if let keyword, keyword.isModifier, isModifierHere {
        let modifier = builder.open(.modifier, at: position)
        advance()
        if at(.leftParen), isShortArgument { skipBalanced() }
        builder.close(modifier, at: position)
      } else if at(.class), [.var, .let, .func, .subscript].contains(peek().keyword) {
        let modifier = builder.open(.modifier, at: position)
        advance()
        builder.close(modifier, at: position)
      } else {
        return
      }
    }
  }

  /// `open` and similar words are modifiers only before a declaration.
  private var isModifierHere: Bool {
    let next = peek()
    return next.kind == .identifier || next.kind == .leftParen || next.kind == .at
  }

  /// Matches `(set)` and `(unsafe)`.
  private var isShortArgument: Bool {
    peek().kind == .identifier && peek(2).kind == .rightParen
  }

  private mutating func parseAttribute() {
    let attribute = builder.open(.attribute, at: position)
    advance()
    guard at(.identifier), !token.startsLine else {
      report(.expected("the name of an attribute after '@'", gapOrCurrent, found: foundHere))
      return builder.close(attribute, at: position)
    }
    advance()
    while at(.period), peek().kind == .identifier {
      advance()
      advance()
    }
    if at(.leftAngle), isAdjacent(position) { _ = skipAngles() }
    if at(.leftParen), !token.startsLine { parseArguments(depth: 0) }
    builder.close(attribute, at: position)
  }

  /// Parses `(label: value, value)`. The values are not interpreted.
  mutating func parseArguments(depth: Int) {
    let opener = position
    advance()
    while !at(.rightParen) {
      if endsList {
        return report(.unclosed(range(ofToken: opener), "("))
      }
      let before = position
      let argument = builder.open(.argument, at: position)
      if at(.identifier), peek().kind == .colon {
        advance()
        advance()
      }
      parseValue(depth: depth)
      builder.close(argument, at: position)
      separate()
      if position == before { advance() }
    }
    advance()
  }

  /// Parses the comma between two list elements. It is optional before the end.
  private mutating func separate() {
    if at(.comma) {
      advance()
    } else if !at(.rightParen), !at(.rightBracket), !endsList {
      report(.expected("','", currentRange, found: found))
    }
  }

  private var endsList: Bool {
    at(.endOfFile) || at(.rightBrace) || certainlyBeginsDeclaration || beginsProperty
      || (!isBalanced && beginsOuterDeclaration(at: position))
  }

  private mutating func parseValue(depth: Int) {
    let start = position
    let mark = builder.mark
    let value = builder.open(.otherValue, at: position)
    let kind = depth < 16 ? parseKnownValue(depth: depth) : nil
    let ends = at(.comma) || at(.rightParen) || at(.rightBracket) || endsList
    // In `.unique .externalStorage` a comma is missing; `.a.b` is a single value.
    let lacksComma = !isAdjacent(position) && (at(.period) || at(.identifier) || at(.backslash))
    if let kind, ends || lacksComma {
      return builder.close(value, kind, at: position)
    }
    builder.rewind(to: mark)
    position = start
    let other = builder.open(.otherValue, at: position)
    skipExpression(inBrackets: true)
    if position == start {
      report(.expected("a value", currentRange, found: found))
      // A stray closing bracket has no counterpart. It is skipped, and the list continues.
      if at(.rightBracket) || at(.rightBrace) == false, !at(.comma), !endsList, !at(.rightParen) {
        advance()
      }
    }
    builder.close(other, at: position)
  }

  /// Modules that may qualify the full name of an option or rule.
  private static let modules: Set<String> = ["Schema", "SwiftData", "Trellis"]

  private mutating func parseKnownValue(depth: Int) -> SyntaxKind? {
    switch kind {
    case .period where peek().kind == .identifier:
      advance()
      advance()
      if at(.leftParen), isAdjacent(position) { parseArguments(depth: depth + 1) }
      return .memberValue
    case .identifier where Self.modules.contains(text(ofToken: position)) && peek().kind == .period:
      // `Schema.Attribute.Option.unique`
      while peek().kind == .period, peek(2).kind == .identifier {
        advance()
        advance()
      }
      advance()
      if at(.leftParen), isAdjacent(position) { parseArguments(depth: depth + 1) }
      return .memberValue
    case .backslash:
      advance()
      var parts = 0
      while at(.identifier) || at(.period) || at(.question) || at(.exclamation) {
        if at(.identifier), parts > 0, tokens[position - 1].kind != .period { break }
        if at(.period), !isAdjacent(position) { break }
        parts += 1
        advance()
      }
      return parts > 0 ? .keyPathValue : nil
    case .string, .integer, .float, .version, .curlyString:
      advance()
      return .literalValue
    case .operatorSign where peek().kind == .integer || peek().kind == .float:
      advance()
      advance()
      return .literalValue
    case .identifier where [.nil, .true, .false, .null].contains(keyword):
      advance()
      return .literalValue
    case .leftBracket:
      return parseArrayValue(depth: depth + 1) ? .arrayValue : nil
    default:
      return nil
    }
  }

  private mutating func parseArrayValue(depth: Int) -> Bool {
    let opener = position
    advance()
    while !at(.rightBracket) {
      if at(.rightParen) || endsList {
        report(.unclosed(range(ofToken: opener), "["))
        return true
      }
      let before = position
      parseValue(depth: depth)
      if at(.colon) { return false }
      separate()
      if position == before { advance() }
    }
    advance()
    return true
  }
}
