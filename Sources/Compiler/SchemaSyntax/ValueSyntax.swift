package import SchemaDiagnostics

/// The value of an argument, as far as the parser interprets it.
package struct ValueSyntax: Sendable {
  package let node: SyntaxNode

  package init(_ node: SyntaxNode) { self.node = node }

  private var tree: SyntaxTree { node.tree }

  package var range: SourceRange { node.range }
  /// The source text, on one line.
  package var text: String { node.tree.lineText(ofTokens: node.firstToken..<node.tokenEnd) }

  package enum Shape {
    /// `.name` or `.name(arguments)`
    case member(String, arguments: [ArgumentSyntax])
    /// `\Trip.name.first`. The root is empty in `\.name`.
    case keyPath(root: [String], path: [String])
    case string(String)
    case integer(Int)
    case null
    case array([ValueSyntax])
    case other
  }

  package var shape: Shape {
    switch node.kind {
    case .memberValue:
      // `.unique`, or `Schema.Attribute.Option.unique`
      var name = node.firstToken
      while name + 1 < node.tokenEnd, [.period, .identifier].contains(tree.tokens[name + 1].kind) { name += 1 }
      return .member(
        tree.name(ofToken: name),
        arguments: node.children(.argument).map { ArgumentSyntax($0) })
    case .keyPathValue:
      return keyPath
    case .arrayValue:
      return .array(node.children.filter { $0.kind.isValue }.map { ValueSyntax($0) })
    case .literalValue:
      return literal
    default:
      return .other
    }
  }

  private var keyPath: Shape {
    var names: [String] = []
    var hasRoot = false
    for index in node.firstToken..<node.tokenEnd where tree.tokens[index].kind == .identifier {
      if index == node.firstToken + 1 { hasRoot = true }
      names.append(tree.name(ofToken: index))
    }
    guard hasRoot else { return .keyPath(root: [], path: names) }
    // `\Schema.Trip.name`: leading uppercase words are the type.
    let isType: (String) -> Bool = { $0.first?.isUppercase ?? false }
    let rootCount = max(1, min(names.prefix(while: isType).count, names.count - 1))
    return .keyPath(root: Array(names.prefix(rootCount)), path: Array(names.dropFirst(rootCount)))
  }

  private var literal: Shape {
    let token = tree.tokens[node.firstToken]
    switch token.kind {
    case .string:
      return Literal.string(tree.text(ofToken: node.firstToken)).map { .string($0) } ?? .other
    case .curlyString:
      return .string(String(tree.text(ofToken: node.firstToken).dropFirst().dropLast()))
    case .integer:
      return Literal.integer(node.text).flatMap { Int(exactly: $0) }.map { .integer($0) } ?? .other
    case .operatorSign:
      return Literal.integer(node.text.filter { $0 != " " }).flatMap { Int(exactly: $0) }
        .map { .integer($0) } ?? .other
    case .identifier where token.keyword == .nil || token.keyword == .null:
      return .null
    default:
      return .other
    }
  }
}
