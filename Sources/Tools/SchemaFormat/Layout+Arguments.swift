import SchemaSyntax

extension Layout {
  /// Lays out an attribute at the start of a line. Arguments that do not fit go below it.
  mutating func attribute(_ node: SyntaxNode, indent: Int) {
    arguments(of: node)
    if !fits(node.firstToken..<node.tokenEnd, at: indent) { breakList(node, indent: indent) }
  }

  /// Lays out a macro such as `#Unique<Trip>([\.name])`.
  mutating func macro(_ node: SyntaxNode, indent: Int) -> Bool {
    var head = node.firstToken
    for child in node.children where child.kind == .attribute {
      attribute(child, indent: indent)
      head = child.tokenEnd
      set(.tight, at: head, column: indent)
    }
    arguments(of: node)
    guard !fits(head..<node.tokenEnd, at: indent) else { return head > node.firstToken }
    breakList(node, indent: indent)
    return true
  }

  /// Lays out arguments on a single line. Unparsed values are copied; a trailing comma is removed.
  mutating func arguments(of node: SyntaxNode) {
    guard let (opener, closer) = brackets(of: node) else { return }
    if node.kind != .arrayValue { set(.nothing, at: opener) }
    if closer > opener + 1 { omitComma(before: closer) }
    set(.nothing, at: closer)
    for child in items(of: node, behind: opener) {
      set(child.firstToken == opener + 1 ? .nothing : .space, at: child.firstToken)
      guard let value = value(of: child) else { continue }
      if value.kind == .otherValue {
        let range = value.firstToken..<value.tokenEnd
        for token in range.dropFirst() { gaps[token] = facts[token].contains(.lineBreak) ? .carried : .raw }
      } else {
        arguments(of: value)
      }
    }
  }

  /// Puts each argument on a separate line. Arguments that do not fit are broken in turn.
  private mutating func breakList(_ node: SyntaxNode, indent: Int) {
    guard let (opener, closer) = brackets(of: node), closer > opener + 1 else { return }
    let inner = indent + SchemaFormatter.indentation
    fill(opener + 1..<closer, column: inner + SchemaFormatter.indentation)
    for child in items(of: node, behind: opener) {
      set(.tight, at: child.firstToken, column: inner)
      guard let value = value(of: child) else { continue }
      let end = tokens[child.tokenEnd].kind == .comma ? child.tokenEnd + 1 : child.tokenEnd
      if value.kind == .otherValue {
        carry(value.firstToken..<value.tokenEnd, from: child.firstToken)
      } else if !fits(child.firstToken..<end, at: inner) {
        breakList(value, indent: inner)
      }
    }
    set(.lineBeforeCloser, at: closer, column: indent)
  }

  /// Returns the brackets of an attribute, a macro, `.name(…)` or `[…]`.
  private func brackets(of node: SyntaxNode) -> (opener: Int, closer: Int)? {
    let closer = node.tokenEnd - 1
    switch (node.kind, tokens[closer].kind) {
    case (.arrayValue, .rightBracket): return (node.firstToken, closer)
    case (.memberValue, .rightParen): return (node.firstToken + 2, closer)
    case (.attribute, .rightParen), (.macroDeclaration, .rightParen):
      return node.ownToken(.leftParen).map { ($0, closer) }
    default: return nil
    }
  }

  private func items(of node: SyntaxNode, behind opener: Int) -> [SyntaxNode] {
    node.children.filter { $0.firstToken > opener && $0.hasTokens && ($0.kind == .argument || $0.kind.isValue) }
  }

  private func value(of item: SyntaxNode) -> SyntaxNode? {
    item.kind == .argument ? item.children.first { $0.kind.isValue } : item
  }
}
