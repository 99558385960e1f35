package import SchemaDiagnostics

/// A type as written.
package struct TypeSyntax: Sendable {
  package let node: SyntaxNode

  init(_ node: SyntaxNode) { self.node = node }

  package var range: SourceRange { node.range }
  /// The source text, on one line.
  package var text: String { node.tree.lineText(ofTokens: node.firstToken..<node.tokenEnd) }

  /// The type inside arrays and optionals.
  package var innermost: TypeSyntax {
    switch shape {
    case .array(let type), .optional(let type): type.innermost
    default: self
    }
  }

  package indirect enum Shape {
    /// `Foundation.Date`, `Set<Int>`: the name's parts and the generic arguments.
    case named([String], arguments: [TypeSyntax])
    case array(TypeSyntax)
    case dictionary(TypeSyntax, TypeSyntax)
    case optional(TypeSyntax)
    case other
  }

  package var shape: Shape {
    // Most types are a single word, possibly in an optional or array.
    switch node.kind {
    case .namedType where node.tokenEnd - node.firstToken == 1:
      return .named([node.tree.name(ofToken: node.firstToken)], arguments: [])
    case .arrayType: return node.type.map { .array($0) } ?? .other
    case .optionalType: return node.type.map { .optional($0) } ?? .other
    default: break
    }
    var inner: [TypeSyntax] = []
    for child in node.children where child.kind.isType { inner.append(TypeSyntax(child)) }
    switch node.kind {
    case .namedType:
      var parts: [String] = []
      for index in node.ownTokens where node.tree.tokens[index].kind == .identifier {
        parts.append(node.tree.name(ofToken: index))
      }
      return parts.isEmpty ? .other : .named(parts, arguments: inner)
    case .dictionaryType:
      return inner.count == 2 ? .dictionary(inner[0], inner[1]) : .other
    default:
      return .other
    }
  }
}
