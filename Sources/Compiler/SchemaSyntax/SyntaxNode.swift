package import SchemaDiagnostics

/// A syntax tree node, on which the typed views are based.
package struct SyntaxNode: Sendable {
  package let tree: SyntaxTree
  let index: Int

  private var node: SyntaxTree.Node { tree.nodes[index] }

  package var kind: SyntaxKind { node.kind }
  package var firstToken: Int { Int(node.first) }
  package var tokenEnd: Int { Int(node.end) }
  package var hasTokens: Bool { node.first < node.end }

  /// From the first token to the last, excluding surrounding trivia.
  package var range: SourceRange {
    guard hasTokens else {
      let start = Int(tree.tokens[min(firstToken, tree.tokens.count - 1)].start)
      return SourceRange(file: tree.fileIndex, start: start, end: start)
    }
    return SourceRange(
      file: tree.fileIndex, start: Int(tree.tokens[firstToken].start),
      end: Int(tree.tokens[tokenEnd - 1].end))
  }

  var rangeWithSpaceBehind: SourceRange {
    var range = range
    if tokenEnd < tree.tokens.count, !tree.tokens[tokenEnd].startsLine {
      range.end = Int(tree.tokens[tokenEnd].start)
    }
    return range
  }

  /// The source from the first token to the last.
  package var text: String {
    let range = range
    return tree.file.text(from: range.start, to: range.end)
  }

  package var children: Children {
    Children(tree: tree, nextIndex: index + 1, end: Int(node.nodeEnd))
  }

  /// Returns the index of the first token that has the given kind and belongs to no child.
  package func ownToken(_ kind: TokenKind) -> Int? {
    var next = firstToken
    for child in children {
      while next < child.firstToken {
        if tree.tokens[next].kind == kind { return next }
        next += 1
      }
      next = Swift.max(next, child.tokenEnd)
    }
    while next < tokenEnd {
      if tree.tokens[next].kind == kind { return next }
      next += 1
    }
    return nil
  }

  package func children(_ kind: SyntaxKind) -> [SyntaxNode] {
    var result: [SyntaxNode] = []
    for child in children where child.kind == kind { result.append(child) }
    return result
  }

  package func first(_ kind: SyntaxKind) -> SyntaxNode? {
    for child in children where child.kind == kind { return child }
    return nil
  }

  /// The first child that is a type.
  package var type: TypeSyntax? {
    for child in children where child.kind.isType { return TypeSyntax(child) }
    return nil
  }

  /// The indices of tokens that belong to no child.
  package var ownTokens: [Int] {
    var result: [Int] = []
    var next = firstToken
    for child in children {
      result.append(contentsOf: next..<max(next, child.firstToken))
      next = max(next, child.tokenEnd)
    }
    result.append(contentsOf: next..<max(next, tokenEnd))
    return result
  }

  package struct Children: Sequence, IteratorProtocol {
    let tree: SyntaxTree
    var nextIndex: Int
    let end: Int

    package mutating func next() -> SyntaxNode? {
      guard nextIndex < end else { return nil }
      let node = SyntaxNode(tree: tree, index: nextIndex)
      nextIndex = Swift.max(Int(tree.nodes[nextIndex].nodeEnd), nextIndex + 1)
      return node
    }
  }
}
