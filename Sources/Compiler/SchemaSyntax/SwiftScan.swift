import SchemaDiagnostics

/// Finds a Swift file's type declarations at any depth and skips all other code.
package struct SwiftScan {
  private let source: SwiftFile
  private let index: Int
  package private(set) var declarations: [SwiftDeclaration] = []
  package private(set) var aliases: [SwiftAlias] = []

  package init(_ source: SwiftFile, index: Int) {
    self.source = source
    self.index = index
    scan(0..<max(source.tokens.count - 1, 0), in: [])
  }

  private static let introducers = "class struct enum extension actor protocol".words
  private static let accessLevels = "public package internal private fileprivate open".words
  private static let modifiers = accessLevels.union(["final", "nonisolated", "indirect"])

  /// - Parameter access: The enclosing extension's access level.
  private mutating func scan(_ range: Range<Int>, in scopes: [String], access: String? = nil) {
    var token = range.lowerBound
    var conditions: [String] = []
    while token < range.upperBound {
      if source.tokens[token].kind == .directive {
        note(condition: token, &conditions)
        token += 1
      } else if let (found, end) = declaration(at: token, in: scopes, before: range.upperBound) {
        var declaration = found
        declaration.condition = conditions.last
        let isExtension = declaration.kind == .extensionOf
        declaration.access = declaration.access ?? access
        declarations.append(declaration)
        let inner =
          isExtension ? declaration.name.split(separator: ".").map(String.init) : scopes + [declaration.name]
        scan(declaration.bodyTokens, in: inner, access: isExtension ? declaration.access : nil)
        token = end
      } else if [.leftBrace, .leftParen, .leftBracket].contains(source.tokens[token].kind) {
        // Types declared in a function are local and are skipped.
        token = (source.closing(token) ?? range.upperBound) + 1
      } else {
        if let alias = alias(at: token, in: scopes, before: range.upperBound) { aliases.append(alias) }
        token += 1
      }
    }
  }

  private func note(condition token: Int, _ conditions: inout [String]) {
    var end = token
    while end + 1 < source.tokens.count, !source.tokens[end + 1].startsLine { end += 1 }
    let text = source.file.text(from: Int(source.tokens[token].start), to: Int(source.tokens[end].end))
    switch source.text(token) {
    case "#if": conditions.append(text)
    case "#elseif", "#else":
      let first = conditions.popLast()
      conditions.append(source.text(token) == "#else" ? "#else of '\(first ?? "#if")'" : text)
    case "#endif": _ = conditions.popLast()
    default: break
    }
  }

  /// Parses `typealias Money = Decimal`.
  private func alias(at token: Int, in scopes: [String], before end: Int) -> SwiftAlias? {
    let tokens = source.tokens
    guard tokens[token].kind == .identifier, tokens[token].keyword == .typealias, token + 3 < end,
      tokens[token + 1].kind == .identifier, tokens[token + 2].kind == .equal
    else { return nil }
    var last = token + 3
    while last + 1 < end, !tokens[last + 1].startsLine, tokens[last + 1].kind != .semicolon,
      tokens[last + 1].kind != .rightBrace
    {
      last += 1
    }
    return SwiftAlias(
      name: source.name(token + 1), scopes: scopes,
      target: source.file.text(from: Int(tokens[token + 3].start), to: Int(tokens[last].end)), file: index,
      offset: Int(tokens[token].start))
  }

  private func declaration(
    at token: Int, in scopes: [String], before end: Int
  ) -> (SwiftDeclaration, end: Int)? {
    let tokens = source.tokens
    guard tokens[token].kind == .identifier, Self.introducers.contains(source.text(token)),
      token + 1 < end, tokens[token + 1].kind == .identifier,
      token == 0 || tokens[token - 1].kind != .period && tokens[token - 1].keyword != .import
    else { return nil }
    let word = source.text(token)
    // `class func` and `class var` declare members.
    if word == "class", ["func", "var", "let", "subscript"].contains(source.text(token + 1)) { return nil }
    var next = token + 1
    var name = source.name(next)
    while next + 2 < end, tokens[next + 1].kind == .period, tokens[next + 2].kind == .identifier {
      name += "." + source.name(next + 2)
      next += 2
    }
    var conformances: [String] = []
    next += 1
    while next < end, tokens[next].kind != .leftBrace {
      if tokens[next].kind == .semicolon { return nil }
      if tokens[next].kind == .identifier { conformances.append(source.name(next)) }
      next += 1
    }
    guard next < end, let close = source.closing(next) else { return nil }
    let (first, attributes) = start(of: token)
    let kind: SwiftDeclaration.Kind =
      switch word {
      case "class": attributes.contains("Model") ? .model : .otherClass
      case "enum": .valueEnum
      case "struct": .structure
      case "extension": .extensionOf
      default: .other
      }
    return (
      SwiftDeclaration(
        kind: kind, name: name, scopes: scopes, conformances: conformances, file: index,
        range: documentation(before: first)..<Int(tokens[close].end),
        body: Int(tokens[next].end)..<Int(tokens[close].start), bodyTokens: (next + 1)..<close,
        access: (first..<token).map { source.text($0) }.first { Self.accessLevels.contains($0) }),
      close + 1
    )
  }

  /// Returns the first token of the attributes and modifiers before a keyword, and the attribute names.
  private func start(of token: Int) -> (Int, Set<String>) {
    var first = token
    var attributes: Set<String> = []
    while first > 0 {
      var previous = first - 1
      let text = source.text(previous)
      if Self.modifiers.contains(text) {
        first = previous
        continue
      }
      if source.tokens[previous].kind == .rightParen {
        guard let open = opening(previous), open > 0 else { break }
        previous = open - 1
        if Self.modifiers.contains(source.text(previous)) {
          first = previous
          continue
        }
      }
      guard source.tokens[previous].kind == .identifier else { break }
      let name = source.name(previous)
      // Skip the module name in `@SwiftData.Model`.
      while previous > 1, source.tokens[previous - 1].kind == .period { previous -= 2 }
      guard previous > 0, source.tokens[previous - 1].kind == .at else { break }
      attributes.insert(name)
      first = previous - 1
    }
    return (first, attributes)
  }

  private func opening(_ close: Int) -> Int? {
    var depth = 0
    for index in stride(from: close, through: 0, by: -1) {
      switch source.tokens[index].kind {
      case .rightParen: depth += 1
      case .leftParen:
        depth -= 1
        if depth == 0 { return index }
      default: break
      }
    }
    return nil
  }

  /// Returns the start of the documentation comment directly above a token.
  private func documentation(before token: Int) -> Int {
    let bytes = source.file.bytes
    var start = Int(source.tokens[token].start)
    let limit = token == 0 ? 0 : Int(source.tokens[token - 1].end)
    var line = start
    while line > limit, bytes[line - 1] != 0x0A { line -= 1 }
    var isBlock = false
    // Go up through documentation comment lines.
    while line > limit {
      var above = line - 1
      while above > limit, bytes[above - 1] != 0x0A { above -= 1 }
      let text = source.file.text(from: above, to: line - 1).drop { $0 == " " || $0 == "\t" }
      let trimmed = text.filter { !$0.isWhitespace }
      if !isBlock, trimmed.hasSuffix("*/"), !trimmed.hasPrefix("//") { isBlock = true }
      guard isBlock || text.hasPrefix("///"), above > 0 || limit == 0 else { break }
      line = above
      if isBlock, !text.hasPrefix("/**") {
        // Stop at any other kind of comment.
        if text.hasPrefix("/*") { break }
        continue
      }
      isBlock = false
      start = above
      while bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
    }
    return start
  }
}
