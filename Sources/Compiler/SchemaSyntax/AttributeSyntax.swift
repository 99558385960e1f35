package import SchemaDiagnostics

/// `@Attribute(.unique, originalName: "x")` or `#Unique<Trip>([\.name])`.
package struct AttributeSyntax: Sendable {
  package let node: SyntaxNode

  package init(_ node: SyntaxNode) { self.node = node }

  private var tree: SyntaxTree { node.tree }

  /// The name without `@` or `#`. For a dotted name, the last part.
  package var name: String {
    let first = tree.tokens[node.firstToken]
    if first.kind == .directive { return String(tree.text(ofToken: node.firstToken).dropFirst()) }
    var index = node.firstToken + 1
    guard index < node.tokenEnd, tree.tokens[index].kind == .identifier else { return "" }
    while index + 2 < node.tokenEnd, tree.tokens[index + 1].kind == .period,
      tree.tokens[index + 2].kind == .identifier
    {
      index += 2
    }
    return tree.name(ofToken: index)
  }

  /// The source range of the name, excluding arguments.
  package var nameRange: SourceRange {
    if tree.tokens[node.firstToken].kind == .directive {
      return tree.range(ofToken: node.firstToken)
    }
    return tree.range(ofToken: min(node.firstToken + 1, node.tokenEnd - 1))
  }

  package var range: SourceRange { node.range }

  /// The attribute and the space after it on the same line.
  package var removalRange: SourceRange { node.rangeWithSpaceBehind }

  package var arguments: [ArgumentSyntax] {
    node.children(.argument).map { ArgumentSyntax($0) }
  }
}

/// An argument: a value and an optional label.
package struct ArgumentSyntax: Sendable {
  package let node: SyntaxNode

  init(_ node: SyntaxNode) { self.node = node }

  package var label: String? {
    let first = node.firstToken
    guard first + 1 < node.tokenEnd, node.tree.tokens[first].kind == .identifier,
      node.tree.tokens[first + 1].kind == .colon
    else { return nil }
    return node.tree.name(ofToken: first)
  }

  package var labelRange: SourceRange { node.tree.range(ofToken: node.firstToken) }

  package var value: ValueSyntax? {
    for child in node.children where child.kind.isValue { return ValueSyntax(child) }
    return nil
  }

  package var range: SourceRange { node.range }

  /// The argument and an adjacent comma, so that the list remains valid after removal.
  package var removalRange: SourceRange {
    let tokens = node.tree.tokens
    var range = node.range
    let before = node.firstToken - 1
    if before >= 0, tokens[before].kind == .comma {
      range.start = Int(tokens[before].start)
    } else if node.tokenEnd + 1 < tokens.count, tokens[node.tokenEnd].kind == .comma {
      range.end = Int(tokens[node.tokenEnd + 1].start)
    }
    return range
  }
}
