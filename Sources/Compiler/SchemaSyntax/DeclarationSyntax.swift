package import SchemaDiagnostics

/// The common parts of all declarations: attributes, modifiers, documentation and usually a name.
package struct DeclarationSyntax: Sendable {
  package let node: SyntaxNode

  package init(_ node: SyntaxNode) { self.node = node }

  private var tree: SyntaxTree { node.tree }

  package var attributes: [AttributeSyntax] {
    var result: [AttributeSyntax] = []
    for child in prefix where child.kind == .attribute { result.append(AttributeSyntax(child)) }
    return result
  }

  package func attribute(named name: String) -> AttributeSyntax? {
    for child in prefix where child.kind == .attribute {
      let attribute = AttributeSyntax(child)
      if attribute.name == name { return attribute }
    }
    return nil
  }

  /// The attributes and modifiers. They come first, so the rest, which may be long, is not visited.
  private var prefix: some Sequence<SyntaxNode> {
    node.children.lazy.prefix { $0.kind == .attribute || $0.kind == .modifier }
  }

  /// The keyword that introduces the declaration: `class`, `var`, `func` …
  package var keywordToken: Int? {
    var next = node.firstToken
    for child in node.children {
      guard child.kind == .attribute || child.kind == .modifier else { break }
      next = child.tokenEnd
    }
    return next < node.tokenEnd ? next : nil
  }

  package var keyword: Keyword? { keywordToken.flatMap { tree.tokens[$0].keyword } }

  /// The name after the keyword, if there is any.
  package var nameToken: Int? {
    guard let keywordToken, keywordToken + 1 < node.tokenEnd else { return nil }
    return tree.tokens[keywordToken + 1].kind == .identifier ? keywordToken + 1 : nil
  }

  package var name: String? { nameToken.map { tree.name(ofToken: $0) } }

  /// The best range for a diagnostic: the name, otherwise the keyword, otherwise the entire declaration.
  package var nameRange: SourceRange {
    (nameToken ?? keywordToken).map { tree.range(ofToken: $0) } ?? node.range
  }

  package var modifiers: [ModifierSyntax] {
    var result: [ModifierSyntax] = []
    for child in prefix where child.kind == .modifier { result.append(ModifierSyntax(child)) }
    return result
  }

  package func has(_ keyword: Keyword) -> Bool {
    for child in prefix where child.kind == .modifier {
      if tree.tokens[child.firstToken].keyword == keyword { return true }
    }
    return false
  }

  package var inherited: [TypeSyntax] {
    guard let clause = node.first(.inheritanceClause) else { return [] }
    return clause.children.filter { $0.kind.isType }.map { TypeSyntax($0) }
  }

  /// Returns a type in the inheritance clause, including attributes, as in `@unchecked Sendable`.
  package func conformance(_ type: TypeSyntax) -> String {
    var first = type.node.firstToken
    while first >= node.firstToken + 2, tree.tokens[first - 2].kind == .at { first -= 2 }
    return tree.lineText(ofTokens: first..<type.node.tokenEnd)
  }

  package var members: [SyntaxNode] {
    node.first(.memberBlock).map { Array($0.children) } ?? []
  }

  /// Returns the edit that adds a member at the end of a type, or nil if the closing brace is missing.
  package func addingMember(_ text: String) -> TextEdit? {
    guard let block = node.first(.memberBlock), tree.tokens[block.tokenEnd - 1].kind == .rightBrace else { return nil }
    func insertion(_ text: String, at offset: Int) -> TextEdit {
      TextEdit(SourceRange(file: tree.fileIndex, start: offset, end: offset), text)
    }
    let brace = tree.tokens[block.tokenEnd - 1]
    let bytes = tree.file.bytes
    guard brace.startsLine else {
      let last = tree.tokens[block.tokenEnd - 2]
      guard last.kind == .leftBrace else { return insertion("; \(text)", at: Int(last.end)) }
      return insertion(last.end == brace.start ? " \(text) " : " \(text)", at: Int(last.end))
    }
    func indentation(of offset: Int) -> (start: Int, text: String) {
      let start = bytes[..<offset].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
      let space = bytes[start..<offset].prefix { $0 == 0x20 || $0 == 0x09 }
      return (start, String(decoding: space, as: UTF8.self))
    }
    let (start, outer) = indentation(of: Int(brace.start))
    var inner = outer + "    "
    for member in block.children where tree.tokens[member.firstToken].startsLine {
      inner = indentation(of: member.range.start).text
      break
    }
    let end = bytes[..<start].suffix(2).elementsEqual([0x0D, 0x0A]) ? "\r\n" : "\n"
    return insertion(inner + text + end, at: start)
  }

  package var documentation: Documentation {
    Documentation(before: node.firstToken, in: tree)
  }

  /// True if `<T>` follows the name.
  package var isGeneric: Bool {
    guard let nameToken, nameToken + 1 < node.tokenEnd else { return false }
    return tree.tokens[nameToken + 1].kind == .leftAngle
  }
}

/// A modifier, such as `public` or `private(set)`.
package struct ModifierSyntax: Sendable {
  package let node: SyntaxNode

  init(_ node: SyntaxNode) { self.node = node }

  package var keyword: Keyword? { node.tree.tokens[node.firstToken].keyword }

  package var removalRange: SourceRange { node.rangeWithSpaceBehind }

  /// The word in parentheses.
  package var detail: String? {
    guard node.tokenEnd - node.firstToken == 4 else { return nil }
    return node.tree.text(ofToken: node.firstToken + 2)
  }
}

extension DeclarationSyntax {
  /// The imported module. For `import struct Foundation.Date`, this is `Foundation`.
  package var importedModule: String? {
    guard let keyword = keywordToken else { return nil }
    for index in keyword + 1..<max(keyword + 1, node.tokenEnd) {
      let token = node.tree.tokens[index]
      if token.kind == .identifier, !(index == keyword + 1 && token.keyword != nil) {
        return node.tree.name(ofToken: index)
      }
    }
    return nil
  }
}
