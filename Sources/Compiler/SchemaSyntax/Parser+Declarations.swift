package import SchemaDiagnostics

extension Parser {
  /// The location of a declaration, which determines how much of it is parsed.
  enum Place {
    case file, `class`, `struct`, `enum`
  }

  mutating func parseDeclaration(in place: Place) {
    let declaration = builder.open(.unexpected, at: position)
    if place == .file, at(.rightBrace) { return wrapUp(declaration) }
    parseAttributesAndModifiers()
    switch keyword {
    case .class where place == .file: parseNominal(declaration, .classDeclaration, inside: .class)
    // Types nested in a model are parsed as well, because its properties may use them.
    case .struct where place == .file || place == .class:
      parseNominal(declaration, .structDeclaration, inside: .struct)
    case .enum where place == .file || place == .class:
      parseNominal(declaration, .enumDeclaration, inside: .enum)
    case .import where place == .file: parseImport(declaration)
    case .var, .let: parseProperty(declaration)
    case .case where place == .enum: parseEnumCases(declaration)
    case .some(let word) where word.isDeclaration: parseVerbatim(declaration)
    default: parseOther(declaration, in: place)
    }
  }

  private mutating func wrapUp(_ declaration: TreeBuilder.Mark) {
    builder.close(declaration, at: position)
  }

  private mutating func parseOther(_ declaration: TreeBuilder.Mark, in place: Place) {
    if at(.directive) {
      switch text(ofToken: position) {
      case "#if": return parseConditional(declaration)
      case "#elseif", "#else", "#endif":
        report(.unexpectedToken(currentRange, "\(found) without a matching '#if'"))
        advance()
        while !token.startsLine, !at(.endOfFile), !at(.rightBrace) { advance() }
        return builder.close(declaration, at: position)
      default: return parseMacro(declaration)
      }
    }
    if at(.mergeMarker) {
      advance()
      return builder.close(declaration, at: position)
    }
    if let word = missingWord(in: place) {
      report(.missingWord(word, in: currentRange, text(ofToken: position)))
      return place == .enum ? parseEnumCases(declaration, isBare: true) : parseProperty(declaration, isBare: true)
    }
    reportMissingDeclaration(in: place)
    if !at(.rightBrace), !at(.endOfFile) { skipToNextDeclaration() }
    builder.close(declaration, at: position)
  }

  /// Returns the word that is missing before a property or case, as in `name: String` or `walk, ride`.
  private func missingWord(in place: Place) -> String? {
    guard at(.identifier), keyword == nil else { return nil }
    switch place {
    case .file: return nil
    case .class, .struct: return peek().kind == .colon ? "var" : nil
    case .enum: return peek().startsLine || [.comma, .rightBrace, .equal].contains(peek().kind) ? "case" : nil
    }
  }

  private mutating func reportMissingDeclaration(in place: Place) {
    if at(.identifier), keyword == nil, place == .file, peek().kind == .leftBrace {
      return report(.missingWord("class", in: currentRange, text(ofToken: position)))
    }
    if at(.identifier), keyword == nil, peek().kind == .identifier, peek().keyword == nil, !peek().startsLine {
      if place == .file, peek(2).kind == .leftBrace,
        ["model", "entity", "table", "object"].contains(text(ofToken: position).lowercased())
      {
        return report(.modelWord(currentRange, text(ofToken: position)))
      }
      if place == .class || place == .struct, text(ofToken: position).first?.isUppercase ?? false {
        return report(
          .typeFirst(
            currentRange.union(range(ofToken: position + 1)), text(ofToken: position), text(ofToken: position + 1)))
      }
    }
    if at(.identifier), keyword == nil, peek().kind == .identifier || peek().kind == .colon {
      let word = text(ofToken: position)
      let words = place == .file ? Self.fileWords : Self.memberWords
      if let nearest = NearestName.find(word, in: words) {
        return report(.unknownWord(currentRange, word, nearest))
      }
    }
    let expected =
      switch place {
      case .file: "a declaration ('schema', 'import', '@Model class', 'enum', 'struct')"
      case .class, .struct: "a member ('var', 'let', a function, a nested type) or '}'"
      case .enum: "a 'case', another member, or '}'"
      }
    report(.expected(expected, currentRange, found: found))
  }

  private static let fileWords = [
    "schema", "import", "class", "enum", "struct", "migration", "final", "public", "package",
    "internal", "extension", "func",
  ]
  private static let memberWords = [
    "var", "let", "func", "init", "case", "static", "private", "public", "struct", "enum",
    "subscript", "typealias", "deinit", "internal", "fileprivate",
  ]

  /// Parses a class, struct or enum, including members.
  private mutating func parseNominal(
    _ declaration: TreeBuilder.Mark, _ kind: SyntaxKind, inside place: Place
  ) {
    let word = text(ofToken: position)
    advance()
    parseName(of: word, isStored: kind == .classDeclaration)
    if at(.leftAngle) { _ = skipAngles() }
    if at(.colon) { parseInheritance() }
    if at(.where) {
      while !at(.leftBrace), !at(.endOfFile), !beginsDeclaration(at: position) { advance() }
    }
    guard at(.leftBrace) else {
      report(.expected("'{' and the members of the \(word)", gapOrCurrent, found: foundHere))
      if !token.startsLine { skipToNextDeclaration() }
      return builder.close(declaration, kind, at: position)
    }
    parseMembers(in: place)
    builder.close(declaration, kind, at: position)
    if at(.semicolon) { endDeclaration() }
  }

  /// The current token, or the end of the previous line if something is missing there.
  var gapOrCurrent: SourceRange { token.startsLine || at(.endOfFile) ? gapRange : currentRange }

  /// The text found at `gapOrCurrent`, which may be the end of the line.
  var foundHere: String { token.startsLine && !at(.endOfFile) ? "the end of the line" : found }

  /// Parses a name. Reserved words need backticks.
  ///
  /// - Parameter isStored: False if the name is not used in stores. Swift files may then use any name.
  mutating func parseName(of what: String, isStored: Bool = false) {
    guard at(.identifier), !token.startsLine || keyword == nil else {
      return report(.expected("the name of the \(what)", gapOrCurrent, found: foundHere))
    }
    if let keyword, keyword.isReserved {
      report(.reservedWord(currentRange, keyword.rawValue))
    }
    checkName(isStored: isStored || !file.isSwift)
    advance()
  }

  /// Reports a name that is not valid. Backticks allow any text as a Swift name, but key paths, columns and files are
  /// more restrictive.
  mutating func checkName(isStored: Bool = true) {
    let word = text(ofToken: position)
    if word == "_" || word == "`_`" || word.hasPrefix("$") {
      return report(.unexpectedToken(currentRange, "'\(word)' is not a valid Swift name"))
    }
    if isStored, !Lexer.isPlainName(word) { report(.quotedName(currentRange)) }
  }

  private mutating func parseInheritance() {
    let clause = builder.open(.inheritanceClause, at: position)
    repeat {
      advance()
      // An attribute such as `@unchecked` or `@preconcurrency` belongs to the type after it.
      while at(.at) {
        advance()
        advance()
      }
      parseType()
    } while at(.comma)
    builder.close(clause, at: position)
  }

  private mutating func parseMembers(in place: Place) {
    let block = builder.open(.memberBlock, at: position)
    let opener = position
    advance()
    while !at(.rightBrace) {
      if at(.endOfFile) || beginsOuterDeclaration(at: position) {
        report(.unclosed(range(ofToken: opener), "{"))
        return builder.close(block, at: position)
      }
      let before = position
      if at(.semicolon) { advance() } else { parseDeclaration(in: place) }
      if position == before { wrapUnexpected() }
    }
    advance()
    builder.close(block, at: position)
  }

  private mutating func parseImport(_ declaration: TreeBuilder.Mark) {
    advance()
    if keyword?.isDeclaration == true, peek().kind == .identifier, !peek().startsLine { advance() }
    if at(.identifier), !token.startsLine {
      advance()
      while at(.period), peek().kind == .identifier {
        advance()
        advance()
      }
    } else {
      report(.expected("the name of a module", gapOrCurrent, found: foundHere))
    }
    builder.close(declaration, .importDeclaration, at: position)
    endDeclaration()
  }
}

extension Diagnostic {
  package static func quotedName(_ range: SourceRange) -> Self {
    Self(
      .unexpectedToken, at: range,
      "a name must consist of letters, digits and '_', and cannot begin with a digit")
  }

  fileprivate static func missingWord(_ word: String, in range: SourceRange, _ name: String) -> Self {
    Self(
      .unexpectedToken, at: range, "expected '\(word)' before '\(name)'",
      fixIts: [.insert(word + " ", at: range, title: "insert '\(word)'")])
  }

  fileprivate static func modelWord(_ range: SourceRange, _ word: String) -> Self {
    Self(
      .unknownKeyword, at: range, "unknown word '\(word)'", help: "declare models with '@Model class'",
      fixIts: [.replace(range, with: "@Model class", title: "write '@Model class'")])
  }

  fileprivate static func typeFirst(_ range: SourceRange, _ type: String, _ name: String) -> Self {
    Self(
      .unexpectedToken, at: range, "the type of a property follows the name",
      fixIts: [.replace(range, with: "var \(name): \(type)", title: "write 'var \(name): \(type)'")])
  }

  fileprivate static func unknownWord(
    _ range: SourceRange, _ word: String, _ nearest: String
  ) -> Self {
    Self(
      .unknownKeyword, at: range, "unknown word '\(word)'", help: "did you mean '\(nearest)'?",
      fixIts: [.replace(range, with: nearest, title: "replace it with '\(nearest)'")])
  }

  fileprivate static func reservedWord(_ range: SourceRange, _ word: String) -> Self {
    Self(
      .unexpectedToken, at: range, "keyword '\(word)' cannot be used as a name",
      help: "enclose it in backticks",
      fixIts: [.replace(range, with: "`\(word)`", title: "write '`\(word)`'")])
  }
}
