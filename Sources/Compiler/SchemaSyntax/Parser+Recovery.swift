import SchemaDiagnostics

extension Parser {
  /// True if the token begins both a line and a declaration.
  func beginsDeclaration(at index: Int) -> Bool {
    let token = tokens[index]
    guard token.startsLine else { return false }
    switch token.kind {
    case .at, .directive, .mergeMarker: return true
    case .identifier:
      guard let keyword = token.keyword else { return false }
      if keyword.certainlyBeginsDeclaration { return true }
      let next = tokens[min(index + 1, tokens.count - 1)]
      if keyword == .`init` { return [.leftParen, .leftAngle, .question, .exclamation].contains(next.kind) }
      if keyword == .subscript { return [.leftParen, .leftAngle].contains(next.kind) }
      if keyword == .schema { return next.kind == .identifier && !next.startsLine }
      if keyword == .migration { return next.keyword == .from }
      // Remaining keywords may be names. They begin a declaration only if a word follows on the same line.
      return keyword.beginsDeclaration && next.kind == .identifier && !next.startsLine
    default: return false
    }
  }

  /// In a file with unbalanced braces: true if a declaration that cannot be nested begins here.
  func beginsOuterDeclaration(at index: Int) -> Bool {
    guard !isBalanced, beginsDeclaration(at: index) else { return false }
    let token = tokens[index]
    if token.kind == .at { return text(ofToken: min(index + 1, tokens.count - 1)) == "Model" }
    switch token.keyword {
    case .schema, .migration, .import: return true
    case .class, .struct, .enum, .extension, .final, .public, .protocol:
      let start = Int(token.start)
      return start == 0 || file.bytes[start - 1] == 0x0A
    default: return false
    }
  }

  /// Skips a bracket and everything up to the matching bracket.
  ///
  /// Stops before tokens that cannot be inside: a declaration within `(` or `[`, an enclosing block's `}`, the end of
  /// the file.
  mutating func skipBalanced() {
    let opener = position
    var open: [TokenKind] = []
    repeat {
      switch kind {
      case .leftParen, .leftBracket, .leftBrace:
        open.append(kind)
      case .rightParen, .rightBracket, .rightBrace:
        if let last = open.last, Self.closes(kind, last) {
          open.removeLast()
        } else if at(.rightBrace) {
          guard let brace = open.lastIndex(of: .leftBrace) else {
            return report(.unclosed(range(ofToken: opener), text(ofToken: opener)))
          }
          report(.unclosed(range(ofToken: opener), text(ofToken: opener)))
          open.removeSubrange(brace...)
        }
      case .endOfFile:
        return report(.unclosed(range(ofToken: opener), text(ofToken: opener)))
      default:
        let isInParentheses = open.last == .leftParen || open.last == .leftBracket
        if isInParentheses ? certainlyBeginsDeclaration : beginsOuterDeclaration(at: position) {
          return report(.unclosed(range(ofToken: opener), text(ofToken: opener)))
        }
      }
      advance()
    } while !open.isEmpty
  }

  /// True if the line can only be the next declaration, even between parentheses.
  var certainlyBeginsDeclaration: Bool {
    guard token.startsLine else { return false }
    if at(.at) {
      let name = text(ofToken: min(position + 1, tokens.count - 1))
      return ["Model", "Attribute", "Relationship", "Transient"].contains(name)
    }
    return keyword?.certainlyBeginsDeclaration ?? false
  }

  /// Matches `var name`, which an expression can contain only inside braces.
  var beginsProperty: Bool {
    (at(.var) || at(.let)) && peek().kind == .identifier && !peek().startsLine
  }

  static func closes(_ closer: TokenKind, _ opener: TokenKind) -> Bool {
    switch opener {
    case .leftParen: closer == .rightParen
    case .leftBracket: closer == .rightBracket
    default: closer == .rightBrace
    }
  }

  var atOpeningBracket: Bool {
    switch kind {
    case .leftParen, .leftBracket, .leftBrace: true
    default: false
    }
  }

  /// Skips the rest of an invalid declaration.
  mutating func skipToNextDeclaration() {
    guard !at(.endOfFile), !at(.rightBrace) else { return }
    let unexpected = builder.open(.unexpected, at: position)
    silence += 1
    var isFirst = true
    while !at(.endOfFile), !at(.rightBrace), isFirst || !beginsDeclaration(at: position) {
      isFirst = false
      if atOpeningBracket { skipBalanced() } else { advance() }
    }
    silence -= 1
    builder.close(unexpected, at: position)
  }

  /// Ends a declaration at the end of the line, a `;`, or the end of the enclosing block.
  mutating func endDeclaration() {
    if at(.semicolon) {
      let semicolon = currentRange
      advance()
      // In a Swift file, a redundant semicolon is a matter of style.
      if file.swift == nil, token.startsLine || at(.endOfFile) { report(.uselessSemicolon(semicolon)) }
      while at(.semicolon) { advance() }
      return
    }
    if at(.endOfFile) || at(.rightBrace) || token.startsLine { return }
    report(.unexpected(currentRange, found, after: "the declaration"))
    skipToNextDeclaration()
  }
}

extension Diagnostic {
  static func unclosed(_ range: SourceRange, _ opener: String) -> Self {
    let closer = opener == "(" ? ")" : opener == "[" ? "]" : "}"
    return Self(.unexpectedToken, at: range, "'\(opener)' without a matching '\(closer)'")
  }

  static func unexpected(_ range: SourceRange, _ found: String, after place: String) -> Self {
    Self(.unexpectedToken, at: range, "unexpected \(found) after \(place)")
  }

  static func expected(_ what: String, _ range: SourceRange, found: String) -> Self {
    Self(.unexpectedToken, at: range, "expected \(what), found \(found)")
  }

  fileprivate static func uselessSemicolon(_ range: SourceRange) -> Self {
    Self(
      .unexpectedToken, .warning, at: range, "';' at the end of a line has no effect",
      fixIts: [.remove(range, title: "remove the ';'")])
  }
}
