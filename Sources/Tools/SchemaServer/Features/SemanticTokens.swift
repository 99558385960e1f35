import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// Token kinds that a grammar cannot recognize.
enum SemanticTokens {
  enum Kind: String, CaseIterable {
    case keyword, type, `class`, property, enumMember, decorator, string, number, comment

    /// The index in the legend.
    fileprivate var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  struct Result: Encodable {
    /// Five numbers for each token: line and character relative to the previous token, length, kind and modifiers.
    var data: [Int] = []
  }

  static func all(_ uri: String, _ state: inout ServerState) -> Result {
    guard let document = state.documents[uri] else { return Result() }
    let models = Set(state.project(of: uri)?.schemas.flatMap { $0.entities.map(\.name) } ?? [])
    let tree = Formatting.tree(document)
    var kinds: [Int: Kind] = [:]
    mark(tree.root, models, &kinds)
    var result = Result()
    var last = Position(line: 0, character: 0)
    for index in tree.tokens.indices {
      guard let kind = kinds[index] ?? Self.kind(of: tree.tokens[index]) else { continue }
      let start = document.table.position(at: Int(tree.tokens[index].start))
      let end = document.table.position(at: Int(tree.tokens[index].end))
      // Most clients cannot show a token of several lines.
      guard start.line == end.line else { continue }
      result.data += [
        start.line - last.line, start.line == last.line ? start.character - last.character : start.character,
        end.character - start.character, kind.number, 0,
      ]
      last = start
    }
    return result
  }

  private static func kind(of token: Token) -> Kind? {
    switch token.kind {
    case .identifier: token.keyword?.isReserved ?? false ? .keyword : nil
    case .integer, .float, .version: .number
    case .string, .regex: .string
    case .directive: .decorator
    default: nil
    }
  }

  private static func mark(_ node: SyntaxNode, _ models: Set<String>, _ kinds: inout [Int: Kind]) {
    let tree = node.tree
    func set(_ token: Int?, _ kind: Kind) { if let token { kinds[token] = kind } }
    switch node.kind {
    case .schemaLine:
      set(node.firstToken, .keyword)
      set(node.firstToken + 1, .type)
    case .migration:
      set(node.firstToken, .keyword)
      set(node.firstToken + 1, .keyword)
    case .classDeclaration: set(DeclarationSyntax(node).nameToken, .class)
    case .structDeclaration, .enumDeclaration: set(DeclarationSyntax(node).nameToken, .type)
    case .attribute:
      let end = node.children(.argument).first?.firstToken ?? node.tokenEnd
      for token in node.firstToken..<end where [.at, .identifier].contains(tree.tokens[token].kind) {
        set(token, .decorator)
      }
    case .modifier: set(node.firstToken, .keyword)
    case .binding: set(BindingSyntax(node).nameToken, .property)
    case .enumCase: if node.hasTokens { set(node.firstToken, .enumMember) }
    case .namedType:
      for token in node.ownTokens where tree.tokens[token].kind == .identifier {
        set(token, models.contains(tree.name(ofToken: token)) ? .class : .type)
      }
    case .keyPathValue:
      for token in node.firstToken..<node.tokenEnd where tree.tokens[token].kind == .identifier {
        set(token, models.contains(tree.name(ofToken: token)) ? .class : .property)
      }
    case .memberValue: set(node.firstToken + 1, .enumMember)
    default: break
    }
    for child in node.children { mark(child, models, &kinds) }
  }
}
