import SchemaSyntax

extension Layout {
  /// Lays out `migration from 1.0.0 { … }` with a line for each step, or on a single line if the source is on a single
  /// line.
  mutating func migration(_ node: SyntaxNode, indent: Int) -> Bool {
    guard let block = node.first(.memberBlock) else { return true }
    let (opener, closer) = (block.firstToken, block.tokenEnd - 1)
    guard tokens[closer].kind == .rightBrace, closer > opener else { return true }
    if closer == opener + 1 { return emptyBlock(closer, indent: indent) }
    let inner = indent + SchemaFormatter.indentation
    fill(opener + 1..<closer, column: inner + SchemaFormatter.indentation)
    let isWritten = tokens[opener + 1...closer].firstIndex { $0.startsLine } == nil
    let steps = steps(opener + 1..<closer)
    for range in steps { step(range) }
    if isWritten {
      set(.space, at: opener + 1)
      set(.space, at: closer)
      for step in steps.dropFirst() { set(.space, at: step.lowerBound) }
      separators(between: steps, closer)
      if fits(node.firstToken..<node.tokenEnd, at: indent) { return false }
    }
    omitSeparators(steps, opener, closer)
    for step in steps {
      set(step.lowerBound == opener + 1 ? .lineBehindOpener : .line, at: step.lowerBound, column: inner)
    }
    set(.lineBeforeCloser, at: closer, column: indent)
    return true
  }

  private mutating func separators(between steps: [Range<Int>], _ closer: Int) {
    for (step, next) in zip(steps, steps.dropFirst()) {
      omit(step.upperBound..<next.lowerBound)
      if step.upperBound < next.lowerBound { set(.nothing, at: step.upperBound) }
    }
    omit((steps.last?.upperBound ?? closer)..<closer)
  }

  private mutating func omitSeparators(_ steps: [Range<Int>], _ opener: Int, _ closer: Int) {
    var next = opener + 1
    for step in steps {
      omit(next..<step.lowerBound)
      next = step.upperBound
    }
    omit(next..<closer)
  }

  /// Splits tokens into steps in the same way as the migration parser: at a semicolon, or at a line that begins with
  /// two words.
  private func steps(_ range: Range<Int>) -> [Range<Int>] {
    var steps: [Range<Int>] = []
    var start: Int?
    var depth = 0
    for token in range {
      if depth == 0 {
        let isSemicolon = start != nil && endsStep(token, range.upperBound)
        if let begun = start, isSemicolon || tokens[token].startsLine && beginsStep(token, range.upperBound) {
          steps.append(begun..<token)
          start = nil
        }
        if isSemicolon || (start == nil && !steps.isEmpty && tokens[token].kind == .semicolon) { continue }
      }
      start = start ?? token
      switch tokens[token].kind {
      case .leftParen, .leftBracket, .leftBrace: depth += 1
      case .rightParen, .rightBracket, .rightBrace: depth = max(0, depth - 1)
      default: break
      }
    }
    if let start { steps.append(start..<range.upperBound) }
    return steps
  }

  /// Returns true if a line break can replace a semicolon, because the following text would begin a step there.
  private func endsStep(_ token: Int, _ end: Int) -> Bool {
    // Consecutive semicolons count as a single semicolon.
    guard tokens[token].kind == .semicolon, tokens[token - 1].kind != .semicolon else { return false }
    var next = token
    while next < end, tokens[next].kind == .semicolon { next += 1 }
    guard next < end else { return true }
    return beginsStep(next, end) && Self.words.contains(tree.text(ofToken: next))
  }

  private static let words: Set<String> = ["fill", "dedupe", "custom", "accept"]

  private func beginsStep(_ token: Int, _ end: Int) -> Bool {
    guard token + 1 < end else { return false }
    let (word, next) = (tokens[token], tokens[token + 1])
    return word.kind == .identifier && next.kind == .identifier && !next.startsLine
      && !(word.keyword?.isReserved ?? false) && !(next.keyword?.isReserved ?? false)
  }

  /// Lays out the words in a step. Line breaks and the value of a `fill` remain as written.
  private mutating func step(_ range: Range<Int>) {
    carry(range, from: range.lowerBound)
    let word = tree.text(ofToken: range.lowerBound)
    var end = range.upperBound
    if word == "fill" {
      guard let equal = range.first(where: { tokens[$0].kind == .equal }) else { return }
      end = min(equal + 2, end)
    } else if !Self.words.contains(word) {
      return
    }
    for token in range.lowerBound + 1..<max(end, range.lowerBound + 1) where gaps[token] == .raw {
      if facts[token].contains(.comment) { continue }
      set(gap(inStep: token), at: token)
    }
  }

  private func gap(inStep token: Int) -> Gap {
    let (left, right) = (tokens[token - 1], tokens[token])
    if right.kind == .leftBracket { return .space }
    // Dashes in a rule name have no spaces; the dashes before a reason have spaces.
    if left.kind == .operatorSign, right.kind == .string { return .space }
    if right.kind == .operatorSign, tokens[token + 1].kind == .string { return .space }
    if left.kind == .operatorSign || right.kind == .operatorSign || right.kind == .semicolon {
      return facts[token].contains(.space) ? .space : .nothing
    }
    return Spacing.gap(token, in: tree, facts[token])
  }
}
