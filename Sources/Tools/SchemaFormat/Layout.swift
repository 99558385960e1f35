import SchemaSyntax

/// Determines the text between a file's tokens. `Writer` writes it.
struct Layout {
  let tree: SyntaxTree
  let tokens: [Token]
  let bytes: UnsafeBufferPointer<UInt8>
  let facts: [GapFacts]
  /// The gap before each token.
  var gaps: [Gap] = []
  /// By token, the column if the token begins a line, or the index into `carried` for copied text.
  var places: [Int32] = []
  private(set) var carried: [Carried] = []

  init(_ tree: SyntaxTree, _ bytes: UnsafeBufferPointer<UInt8>) {
    self.tree = tree
    self.bytes = bytes
    let tokens = tree.tokens
    self.tokens = tokens
    var start = 0
    facts = tokens.map { token in
      defer { start = Int(token.end) }
      return GapFacts(bytes, start..<Int(token.start))
    }
    gaps.reserveCapacity(tokens.count)
    for index in tokens.indices {
      gaps.append(index == 0 ? .nothing : Spacing.gap(index, in: tree, facts[index]))
    }
    places = Array(repeating: 0, count: tokens.count)
  }

  mutating func run() {
    var last: (kind: SyntaxKind, isLong: Bool)?
    var next = 0
    for item in tree.root.children where item.hasTokens {
      omit(next..<item.firstToken)
      let isLong = declaration(item, indent: 0)
      set(gap(before: item, isLong, behind: last), at: item.firstToken, column: 0)
      last = (item.kind, isLong)
      next = item.tokenEnd
    }
    omit(next..<tokens.count - 1)
    set(.endOfFile, at: tokens.count - 1, column: 0)
  }

  /// Separates types with blank lines. Between imports and one-line types, blank lines remain as written.
  private func gap(
    before item: SyntaxNode, _ isLong: Bool, behind last: (kind: SyntaxKind, isLong: Bool)?
  ) -> Gap {
    guard let last else { return .lineBehindOpener }
    if last.kind == .schemaLine { return .section }
    if last.kind == .importDeclaration || item.kind == .importDeclaration {
      return last.kind == item.kind ? .line : .section
    }
    let isCommented = facts[item.firstToken].contains(.ownLine)
    return last.isLong || isLong || isCommented ? .section : .line
  }

  /// Lays out a declaration that begins a line. Returns true if it takes several lines.
  mutating func declaration(_ node: SyntaxNode, indent: Int) -> Bool {
    fill(node.firstToken..<node.tokenEnd, column: indent + SchemaFormatter.indentation)
    switch node.kind {
    case .schemaLine:
      // Keep the text after the version as written.
      for token in min(node.firstToken + 3, node.tokenEnd)..<node.tokenEnd { gaps[token] = .raw }
      return false
    case .importDeclaration:
      return false
    case .classDeclaration, .structDeclaration, .enumDeclaration:
      return type(node, indent: indent)
    case .propertyDeclaration, .enumCaseDeclaration:
      return member(node, indent: indent)
    case .macroDeclaration:
      return macro(node, indent: indent)
    case .migration:
      return migration(node, indent: indent)
    default:
      return carry(node.firstToken..<node.tokenEnd, from: node.firstToken)
    }
  }
}

// Layout helpers.
extension Layout {
  mutating func set(_ gap: Gap, at token: Int, column: Int? = nil) {
    gaps[token] = gap
    if let column { places[token] = Int32(truncatingIfNeeded: column) }
  }

  mutating func fill(_ range: Range<Int>, column: Int) {
    for token in range { places[token] = Int32(truncatingIfNeeded: column) }
  }

  /// Removes semicolons between declarations, except those that follow a comment on a separate line.
  mutating func omit(_ range: Range<Int>) {
    for token in range where tokens[token].kind == .semicolon && !facts[token].contains(.ownLine) {
      gaps[token] = .leftOut
    }
  }

  mutating func omitComma(before closer: Int) {
    if tokens[closer - 1].kind == .comma { gaps[closer - 1] = .leftOut }
  }

  /// Returns true if tokens fit on a single line that begins at a column.
  ///
  /// - Parameter toBreak: True to measure only up to the first line break in copied text.
  func fits(
    _ range: Range<Int>, at column: Int, limit: Int = SchemaFormatter.lineLimit, toBreak: Bool = false
  ) -> Bool {
    width(range, limit: limit - column, toBreak: toBreak) != nil
  }

  /// Returns the width of tokens on a single line in columns, or `nil` if they contain a line break or exceed the
  /// limit. The measurement stops at the limit.
  func width(_ range: Range<Int>, limit: Int, toBreak: Bool = false) -> Int? {
    var width = 0
    for token in range {
      if token > range.lowerBound {
        if gaps[token] == .carried || gaps[token].breaksLine {
          return toBreak ? width : nil
        }
        if facts[token].contains(.ownLine) { return nil }
        width += gapWidth(token)
      }
      if gaps[token] == .leftOut { continue }
      let (start, end) = (Int(tokens[token].start), Int(tokens[token].end))
      if end - start > limit * 4 || tokens[token].kind == .string {
        if let stop = bytes[start..<end].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
          width += bytes.columns(start..<stop)
          return toBreak && width <= limit ? width : nil
        }
      }
      width += bytes.columns(start..<end)
      if width > limit { return nil }
    }
    return width
  }

  private func gapWidth(_ token: Int) -> Int {
    let range = Int(tokens[token - 1].end)..<Int(tokens[token].start)
    if gaps[token] == .raw { return bytes.columns(range) }
    guard facts[token].contains(.comment) else { return gaps[token] == .space ? 1 : 0 }
    // Measure the comments as they will be written.
    var cursor = TriviaCursor(bytes, range)
    var width = 0
    var hasBreak = false
    while let piece = cursor.next() {
      guard case .comment(let comment, _) = piece else {
        hasBreak = true
        continue
      }
      width += bytes.columns(comment) + (cursor.passedSpace || gaps[token] != .nothing ? 1 : 0)
      hasBreak = false
    }
    return width + (gaps[token] == .space || hasBreak || cursor.passedSpace ? 1 : 0)
  }

  /// Copies text as written. Subsequent lines move with the first line.
  ///
  /// - Parameter first: The first token of the declaration that contains the text.
  /// - Returns: True if the text takes several lines.
  @discardableResult
  mutating func carry(_ range: Range<Int>, from first: Int) -> Bool {
    var isLong = false
    for token in range {
      if token > range.lowerBound {
        let breaks = facts[token].contains(.lineBreak)
        gaps[token] = breaks ? .carried : .raw
        places[token] = Int32(truncatingIfNeeded: carried.count)
        isLong = isLong || breaks
      }
    }
    if isLong { carried.append(Carried(range, from: first, self)) }
    return isLong || range.contains { tokens[$0].kind == .string && isLongString($0) }
  }

  private func isLongString(_ token: Int) -> Bool {
    let start = Int(tokens[token].start)
    // Only raw and multi-line string literals can contain a line break.
    guard bytes[start] == 0x23 || tokens[token].end - tokens[token].start > 6 else { return false }
    return bytes[start..<Int(tokens[token].end)].contains { $0 == 0x0A || $0 == 0x0D }
  }
}
