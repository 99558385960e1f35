import SchemaSyntax

extension Layout {
  /// Lays out a class, struct or enum: each attribute on a separate line, then the heading and the block.
  mutating func type(_ node: SyntaxNode, indent: Int) -> Bool {
    var heading = node.firstToken
    for child in node.children {
      switch child.kind {
      case .attribute:
        attribute(child, indent: indent)
        heading = child.tokenEnd
        set(.tight, at: heading, column: indent)
      case .inheritanceClause:
        inheritance(child)
      case .memberBlock:
        let isLong = block(child, indent: indent, heading: heading)
        return isLong || heading > node.firstToken
      default:
        break
      }
    }
    return heading > node.firstToken
  }

  private mutating func inheritance(_ clause: SyntaxNode) {
    for child in clause.children where child.kind.isType {
      // Keep the text of inheritance clauses, which are compared as text.
      keepText(child.firstToken..<child.tokenEnd)
      // Treat `@unchecked Sendable` as a unit.
      var first = child.firstToken
      while first >= clause.firstToken + 2, tokens[first - 2].kind == .at {
        keepText(first - 2..<first + 1)
        first -= 2
      }
    }
  }

  /// Keeps a type's text if it is compared as text. Types with known structure are formatted.
  mutating func keepText(of type: SyntaxNode) {
    if !isPlain(type) { keepText(type.firstToken..<type.tokenEnd) }
  }

  private mutating func keepText(_ range: Range<Int>) {
    for token in range.dropFirst() {
      gaps[token] = facts[token].isDisjoint(with: [.lineBreak, .comment]) ? .raw : .space
    }
  }

  private func isPlain(_ type: SyntaxNode) -> Bool {
    switch type.kind {
    case .arrayType, .dictionaryType, .optionalType:
      return type.children.allSatisfy { isPlain($0) }
    case .namedType:
      if type.tokenEnd - type.firstToken == 1 { return true }
      guard ["Set", "Array", "Dictionary", "Optional"].contains(tree.text(ofToken: type.firstToken)),
        tokens[type.firstToken + 1].kind == .leftAngle
      else { return false }
      return type.children.allSatisfy { isPlain($0) }
    default:
      return false
    }
  }

  /// Lays out a type's block on a single line if it is written on a single line and fits, otherwise with a line for
  /// each member. Returns true if it takes several lines.
  private mutating func block(_ node: SyntaxNode, indent: Int, heading: Int) -> Bool {
    let (opener, closer) = (node.firstToken, node.tokenEnd - 1)
    guard tokens[closer].kind == .rightBrace, closer > opener else { return true }
    if closer == opener + 1 { return emptyBlock(closer, indent: indent) }
    if node.children.first(where: \.hasTokens) == nil, facts[opener + 1...closer].allSatisfy({ !$0.contains(.comment) })
    {
      omit(opener + 1..<closer)
      return emptyBlock(closer, indent: indent)
    }
    let isWritten = tokens[opener + 1...closer].firstIndex { $0.startsLine } == nil
    if isWritten, line(of: node), fits(heading..<node.tokenEnd, at: indent) { return false }
    var next = opener + 1
    for child in node.children where child.hasTokens {
      omit(next..<child.firstToken)
      _ = declaration(child, indent: indent + SchemaFormatter.indentation)
      set(
        next == opener + 1 ? .lineBehindOpener : .line, at: child.firstToken,
        column: indent + SchemaFormatter.indentation)
      next = child.tokenEnd
    }
    omit(next..<closer)
    set(.lineBeforeCloser, at: closer, column: indent)
    return true
  }

  mutating func emptyBlock(_ closer: Int, indent: Int) -> Bool {
    let facts = facts[closer]
    let gap: Gap = facts.contains(.ownLine) ? .lineBetweenBraces : facts.contains(.comment) ? .space : .nothing
    set(gap, at: closer, column: indent)
    return gap == .lineBetweenBraces
  }

  /// Lays out the members on a single line, separated by semicolons. Returns false if that is not possible.
  private mutating func line(of block: SyntaxNode) -> Bool {
    let closer = block.tokenEnd - 1
    var next = block.firstToken + 1
    for child in block.children where child.hasTokens {
      separators(next..<child.firstToken, isEnd: next == block.firstToken + 1)
      guard lineOf(child) else { return false }
      set(.space, at: child.firstToken)
      next = child.tokenEnd
    }
    separators(next..<closer, isEnd: true)
    set(.space, at: closer)
    return true
  }

  /// Reduces several semicolons between members to a single semicolon, and removes them at the start and the end.
  private mutating func separators(_ range: Range<Int>, isEnd: Bool) {
    omit(range)
    if !isEnd, let first = range.first { set(.nothing, at: first) }
  }

  /// Lays out a member within a one-line block.
  private mutating func lineOf(_ node: SyntaxNode) -> Bool {
    switch node.kind {
    case .propertyDeclaration, .enumCaseDeclaration, .macroDeclaration:
      for child in node.children {
        switch child.kind {
        case .attribute: arguments(of: child)
        case .binding, .enumCase: element(child, in: node, indent: 0)
        default: break
        }
      }
      if node.kind == .macroDeclaration { arguments(of: node) }
      return true
    case .verbatimDeclaration:
      carry(node.firstToken..<node.tokenEnd, from: node.firstToken)
      return true
    default:
      return false
    }
  }
}
