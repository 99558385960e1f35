import SchemaDiagnostics

extension Parser {
  /// Parses a type. If there is none, reports it and returns false.
  @discardableResult
  mutating func parseType(depth: Int = 0) -> Bool {
    let start = position
    let mark = builder.mark
    var isOther = takeTypePrefix()
    guard depth < 64, parseBaseType(depth: depth) else {
      if depth >= 64 { skipDeepType() }
      report(.expected("a type", gapOrCurrent, found: foundHere))
      builder.rewind(to: mark)
      return false
    }
    var suffixes = 0
    while !token.startsLine {
      let kind: SyntaxKind
      if at(.leftBracket), peek().kind == .rightBracket {
        reportArraySuffix(behind: start)
        advance()
        kind = .arrayType
      } else if at(.question) || at(.exclamation) {
        // In Swift files, `!` is allowed: the app declares the property, and its value is an ordinary optional.
        if at(.exclamation), file.swift == nil { report(.implicitlyUnwrapped(currentRange)) }
        kind = .optionalType
      } else {
        break
      }
      advance()
      suffixes += 1
      // More than two suffixes add no information, and wrapping each would make a long run slow.
      if suffixes <= 2 {
        builder.wrap(mark, in: kind, from: start, to: position)
      } else {
        builder.close(mark, at: position)
      }
    }
    while takeTypeSuffix() {
      isOther = true
      silence += 1
      parseType(depth: depth + 1)
      silence -= 1
    }
    if isOther {
      builder.rewind(to: mark)
      let other = builder.open(.otherType, at: start)
      builder.close(other, at: position)
    }
    return true
  }

  /// Reports an array type written as `String[]`.
  private mutating func reportArraySuffix(behind start: Int) {
    let element = range(ofToken: start).union(range(ofToken: position - 1))
    report(
      .arraySuffix(
        element.union(range(ofToken: position + 1)), file.text(from: element.start, to: element.end)))
  }

  private mutating func takeTypePrefix() -> Bool {
    var isTaken = false
    while !token.startsLine {
      let isWord = [.any, .some, .inout, .borrowing, .consuming].contains(keyword)
      guard at(.at) || (isWord && peek().kind == .identifier) || at(.operatorSign) && isTilde else {
        break
      }
      advance()
      if tokens[position - 1].kind == .at { advance() }
      isTaken = true
    }
    return isTaken
  }

  private var isTilde: Bool { text(ofToken: position) == "~" }

  /// Parses `->`, `async`, `throws` or `&`, after which the type is known only as text.
  private mutating func takeTypeSuffix() -> Bool {
    guard !token.startsLine else { return false }
    if at(.operatorSign) {
      let sign = text(ofToken: position)
      guard sign == "->" || sign == "&" else { return false }
      advance()
      return true
    }
    guard [.async, .throws, .rethrows].contains(keyword) else { return false }
    while [.async, .throws, .rethrows].contains(keyword) { advance() }
    if at(.leftParen) { skipBalanced() }
    if at(.operatorSign) { advance() }
    return true
  }

  private mutating func parseBaseType(depth: Int) -> Bool {
    if token.startsLine, position > 0, beginsDeclaration(at: position) { return false }
    switch kind {
    case .identifier:
      if let keyword, keyword.isReserved, keyword != .selfType, keyword != .anyType { return false }
      parseNamedType(depth: depth)
      return true
    case .leftBracket:
      return parseBracketType(depth: depth)
    case .leftParen:
      let tuple = builder.open(.otherType, at: position)
      skipBalanced()
      builder.close(tuple, at: position)
      return true
    default:
      return false
    }
  }

  private mutating func parseNamedType(depth: Int) {
    let named = builder.open(.namedType, at: position)
    advance()
    while true {
      if at(.leftAngle), !token.startsLine {
        parseGenericArguments(depth: depth)
      } else if at(.period), peek().kind == .identifier {
        advance()
        advance()
      } else {
        break
      }
    }
    builder.close(named, at: position)
  }

  private mutating func parseGenericArguments(depth: Int) {
    advance()
    while true {
      guard parseType(depth: depth + 1) else { return }
      if at(.comma) {
        advance()
      } else if at(.rightAngle) {
        return advance()
      } else {
        return report(.expected("'>'", gapOrCurrent, found: foundHere))
      }
    }
  }

  private mutating func parseBracketType(depth: Int) -> Bool {
    let bracket = builder.open(.arrayType, at: position)
    let opener = position
    advance()
    guard parseType(depth: depth + 1) else { return false }
    var kind = SyntaxKind.arrayType
    if at(.colon) {
      kind = .dictionaryType
      advance()
      guard parseType(depth: depth + 1) else { return false }
    }
    if !take(.rightBracket) {
      report(.unclosed(range(ofToken: opener), "["))
    }
    builder.close(bracket, kind, at: position)
    return true
  }

  /// Skips a type that is nested too deeply to be intended.
  private mutating func skipDeepType() {
    silence += 1
    if atOpeningBracket { skipBalanced() }
    silence -= 1
  }

  /// Skips `<…>` if the matching `>` follows within a bounded distance. Otherwise returns false and skips nothing.
  mutating func skipAngles() -> Bool {
    var depth = 0
    var index = position
    let limit = min(position + 200, tokens.count)
    while index < limit {
      switch tokens[index].kind {
      case .leftAngle: depth += 1
      case .rightAngle: depth -= 1
      case .identifier, .period, .comma, .colon, .question, .leftBracket, .rightBracket,
        .leftParen, .rightParen, .operatorSign, .equal:
        break
      default: return false
      }
      index += 1
      if depth == 0 {
        position = index
        return true
      }
    }
    return false
  }
}

extension Diagnostic {
  fileprivate static func arraySuffix(_ range: SourceRange, _ element: String) -> Self {
    Self(
      .unexpectedToken, at: range, "an array type is written '[\(element)]'",
      fixIts: [.replace(range, with: "[\(element)]", title: "write '[\(element)]'")])
  }

  fileprivate static func implicitlyUnwrapped(_ range: SourceRange) -> Self {
    Self(
      .unexpectedToken, at: range, "schema properties cannot be implicitly unwrapped with '!'",
      fixIts: [.replace(range, with: "?", title: "write '?'")])
  }
}
