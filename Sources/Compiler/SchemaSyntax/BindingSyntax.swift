package import SchemaDiagnostics

/// One name of a `var` or `let`.
package struct BindingSyntax: Sendable {
  package let node: SyntaxNode

  /// The type behind a later name of the same declaration: `var red, green: Double`.
  private let sharedType: TypeSyntax?

  package init(_ node: SyntaxNode, sharedType: TypeSyntax? = nil) {
    self.node = node
    self.sharedType = sharedType
  }

  private var tree: SyntaxTree { node.tree }

  package var nameToken: Int? {
    guard node.hasTokens, tree.tokens[node.firstToken].kind == .identifier else { return nil }
    return node.firstToken
  }

  package var name: String? { nameToken.map { tree.name(ofToken: $0) } }

  package var type: TypeSyntax? { node.type ?? sharedType }

  /// Whether a `:` or a `=` stands there with nothing behind it, which the parser has reported.
  package var isIncomplete: Bool {
    (node.type == nil && node.ownToken(.colon) != nil)
      || (defaultValue == nil && node.first(.initializerClause) != nil)
  }

  package var defaultValue: ExpressionSyntax? {
    node.first(.initializerClause).flatMap { ExpressionSyntax(clause: $0) }
  }

  package enum Accessors {
    case none
    /// `didSet` or `willSet`: the property is stored all the same.
    case observers(SourceRange)
    case computed
  }

  package var accessors: Accessors {
    guard let block = node.first(.accessorBlock) else { return .none }
    var index = block.firstToken + 1
    while index < block.tokenEnd {
      let token = tree.tokens[index]
      switch token.keyword {
      case .didSet, .willSet:
        return .observers(tree.range(ofToken: index))
      case .private, .fileprivate, .internal, .public, .package, .mutating, .nonmutating,
        .nonisolated:
        index += 1
      default:
        if token.kind == .at { index += 2 } else { return .computed }
      }
    }
    return .computed
  }
}

extension DeclarationSyntax {
  /// The names of a property declaration. One that has neither a type nor a value shares the type of
  /// the next.
  package var bindings: [BindingSyntax] {
    var shared: TypeSyntax?
    let bindings = node.children(.binding).reversed().map { node -> BindingSyntax in
      let alone = BindingSyntax(node)
      if alone.type != nil {
        shared = alone.type
      } else if alone.isIncomplete || alone.defaultValue != nil {
        shared = nil
      }
      return BindingSyntax(node, sharedType: shared)
    }
    return bindings.reversed()
  }
}
