package import SchemaDiagnostics

/// A single name in a `var` or `let` declaration.
package struct BindingSyntax: Sendable {
  package let node: SyntaxNode

  /// The type written after a later name in the same declaration: `var red, green: Double`.
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

  /// True if nothing follows a `:` or `=`, which the parser has already reported.
  package var isIncomplete: Bool {
    (node.type == nil && node.ownToken(.colon) != nil)
      || (defaultValue == nil && node.first(.initializerClause) != nil)
  }

  package var defaultValue: ExpressionSyntax? {
    node.first(.initializerClause).flatMap { ExpressionSyntax(clause: $0) }
  }

  package enum Accessors {
    case none
    /// `didSet` or `willSet`. The property is still stored.
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
  /// The names in a property declaration. A name that has neither a type nor a value shares the next name's type.
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
