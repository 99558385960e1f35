import SchemaDiagnostics

extension Parser {
  /// Parses `var a: Int = 1, b = "x" { … }`. Accessors determine whether the property is stored or computed.
  ///
  /// - Parameter isBare: True if the `var` is missing.
  mutating func parseProperty(_ declaration: TreeBuilder.Mark, isBare: Bool = false) {
    let word = isBare ? "var" : text(ofToken: position)
    if !isBare { advance() }
    repeat {
      if at(.comma) { advance() }
      let binding = builder.open(.binding, at: position)
      let isRead = parseBinding(word)
      builder.close(binding, at: position)
      if !isRead {
        if !beginsDeclaration(at: position) { skipToNextDeclaration() }
        return builder.close(declaration, .propertyDeclaration, at: position)
      }
    } while continuesList("a property")
    builder.close(declaration, .propertyDeclaration, at: position)
    endDeclaration()
  }

  private mutating func parseBinding(_ word: String) -> Bool {
    if at(.leftParen), !token.startsLine {
      // `let (a, b) = pair`: schema properties cannot be patterns.
      report(.unexpectedToken(currentRange, "a property must have a single name, not a pattern"))
      return false
    }
    guard at(.identifier), !token.startsLine || keyword == nil else {
      report(.expected("the name of the property", gapOrCurrent, found: foundHere))
      return false
    }
    parseName(of: "property")
    if at(.colon) {
      advance()
      guard parseType() else { return false }
    } else if (at(.identifier) || at(.leftBracket)) && !token.startsLine {
      report(.missingColon(gapRange, currentRange))
      parseType()
    }
    if at(.equal) { parseDefault() }
    if at(.leftBrace) {
      let block = builder.open(.accessorBlock, at: position)
      skipBalanced()
      builder.close(block, at: position)
    }
    return true
  }

  /// Parses `= expression` and keeps it as text. A type that the expression spells out becomes a node.
  mutating func parseDefault() {
    let clause = builder.open(.initializerClause, at: position)
    advance()
    if at(.null), !isMemberAccess(position + 1) {
      report(.null(currentRange))
    }
    parseConstructedType()
    let start = position
    skipExpression(inBrackets: false)
    if position == start {
      report(.expected("a value after '='", gapOrCurrent, found: foundHere))
    }
    builder.close(clause, at: position)
  }

  private func isMemberAccess(_ index: Int) -> Bool {
    index < tokens.count && [.period, .leftParen].contains(tokens[index].kind)
  }

  /// Parses the type in `[Item]()` and `Set<Int>()`. Any other expression is left untouched.
  private mutating func parseConstructedType() {
    guard at(.leftBracket) || (at(.identifier) && peek().kind == .leftAngle) else { return }
    let start = position
    let mark = builder.mark
    silence += 1
    let lastError = lastErrorPosition
    let isType = parseType()
    silence -= 1
    lastErrorPosition = lastError
    let isCalled = at(.leftParen) && !token.startsLine
    position = start
    if !isType || !isCalled { builder.rewind(to: mark) }
  }

  /// Parses `case a, b = "x", c(Int, label: String)`.
  ///
  /// - Parameter isBare: True if the `case` is missing.
  mutating func parseEnumCases(_ declaration: TreeBuilder.Mark, isBare: Bool = false) {
    var isBare = isBare
    repeat {
      if !isBare { advance() }
      isBare = false
      let enumCase = builder.open(.enumCase, at: position)
      parseName(of: "case")
      if at(.leftParen) { parsePayload() }
      if at(.equal) { parseDefault() }
      builder.close(enumCase, at: position)
    } while continuesList("a case")
    builder.close(declaration, .enumCaseDeclaration, at: position)
    endDeclaration()
  }

  /// Returns true at a comma followed by an element. Skips and reports a trailing comma.
  private mutating func continuesList(_ element: String) -> Bool {
    guard at(.comma) else { return false }
    let isLast = [.rightBrace, .endOfFile].contains(peek().kind) || beginsDeclaration(at: position + 1)
    guard isLast else { return true }
    report(.trailingComma(currentRange, element))
    advance()
    return false
  }

  private mutating func parsePayload() {
    let opener = position
    advance()
    while !at(.rightParen) {
      if at(.endOfFile) || at(.rightBrace) || beginsDeclaration(at: position) || at(.case) {
        return report(.unclosed(range(ofToken: opener), "("))
      }
      let field = builder.open(.payloadField, at: position)
      if at(.identifier), peek().kind == .colon {
        advance()
        advance()
      } else if at(.identifier), peek().kind == .identifier, peek(2).kind == .colon {
        advance()
        advance()
        advance()
      }
      let isType = parseType()
      if at(.equal) { parseDefault() }
      builder.close(field, at: position)
      if at(.comma) {
        advance()
      } else if !at(.rightParen) {
        if isType { report(.expected("',' or ')'", currentRange, found: found)) }
        while !at(.comma), !at(.rightParen), !at(.endOfFile), !at(.rightBrace),
          !beginsDeclaration(at: position), !at(.case)
        {
          if atOpeningBracket { skipBalanced() } else { advance() }
        }
        if at(.comma) { advance() }
      }
    }
    advance()
  }

  /// Parses a declaration that is carried verbatim, up to the end of the body or line.
  mutating func parseVerbatim(_ declaration: TreeBuilder.Mark) {
    let word = text(ofToken: position)
    let hasBody = keyword != .typealias && keyword != .associatedtype && keyword != .import
    let isOperator = keyword == .operator || keyword == .macro
    let isBegun = beginsVerbatim
    advance()
    if !isBegun { report(.expected(Self.expectation(behind: word), gapOrCurrent, found: foundHere)) }
    var isFirst = isBegun
    while !at(.endOfFile), !at(.rightBrace), !at(.semicolon) {
      if !isFirst, beginsDeclaration(at: position) { break }
      if !isFirst, token.startsLine, !hasBody || isOperator, !continuesExpression { break }
      isFirst = false
      if at(.leftBrace) {
        skipBalanced()
        break
      }
      if atOpeningBracket { skipBalanced() } else { advance() }
    }
    builder.close(declaration, .verbatimDeclaration, at: position)
    if at(.semicolon) { endDeclaration() }
  }

  /// True if the keyword is followed by the required name or parameters.
  private var beginsVerbatim: Bool {
    let next = peek()
    switch keyword {
    case .`init`: return [.leftParen, .leftAngle, .question, .exclamation].contains(next.kind)
    case .subscript: return [.leftParen, .leftAngle].contains(next.kind)
    default: break
    }
    switch next.kind {
    case .semicolon, .rightBrace, .endOfFile: return false
    default: return !beginsDeclaration(at: min(position + 1, tokens.count - 1))
    }
  }

  private static func expectation(behind word: String) -> String {
    switch word {
    case "init", "subscript": "'(' and the parameters of the '\(word)'"
    case "deinit": "'{' and the body of the 'deinit'"
    default: "a name after '\(word)'"
    }
  }

  /// Parses `#if … #endif` with all branches.
  mutating func parseConditional(_ declaration: TreeBuilder.Mark) {
    let opener = position
    var depth = 0
    repeat {
      if at(.endOfFile) {
        report(.unexpectedToken(range(ofToken: opener), "'#if' without a matching '#endif'"))
        break
      }
      if at(.directive) {
        let word = text(ofToken: position)
        if word == "#if" { depth += 1 }
        if word == "#endif" { depth -= 1 }
      }
      advance()
    } while depth > 0
    builder.close(declaration, .conditionalBlock, at: position)
  }

  /// Parses `#Unique<Trip>([\.name], onConflict: .fail)`.
  mutating func parseMacro(_ declaration: TreeBuilder.Mark) {
    advance()
    if at(.leftAngle) {
      advance()
      parseType()
      if !take(.rightAngle) { report(.expected("'>'", currentRange, found: found)) }
    }
    if at(.leftParen) {
      parseArguments(depth: 0)
    }
    builder.close(declaration, .macroDeclaration, at: position)
    endDeclaration()
  }
}

extension Diagnostic {
  fileprivate static func trailingComma(_ range: SourceRange, _ element: String) -> Self {
    Self(
      .unexpectedToken, at: range, "expected \(element) after ','",
      fixIts: [.remove(range, title: "remove the ','")])
  }

  fileprivate static func missingColon(_ gap: SourceRange, _ range: SourceRange) -> Self {
    Self(
      .unexpectedToken, at: range, "expected ':' between the name and the type",
      fixIts: [.insert(":", at: gap, title: "insert ':'")])
  }

  fileprivate static func null(_ range: SourceRange) -> Self {
    Self(
      .unexpectedToken, at: range, "'null' is written 'nil' in Swift",
      fixIts: [.replace(range, with: "nil", title: "write 'nil'")])
  }
}
