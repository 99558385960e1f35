import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// The outline of a document, and symbols of all open folders.
enum Symbols {
  enum Kind: Int, Encodable {
    case module = 2
    case `class` = 5
    case property = 7
    case field = 8
    case enumeration = 10
    case enumMember = 22
    case structure = 23
    case event = 24
  }

  struct Item: Encodable {
    var name: String
    var detail: String?
    var kind: Kind
    var range: DocumentRange
    var selectionRange: DocumentRange
    var children: [Item]
  }

  struct Found: Encodable {
    var name: String
    var kind: Kind
    var location: Location
    var containerName: String?
  }

  static func outline(_ uri: String, _ state: inout ServerState) -> [Item] {
    guard let document = state.documents[uri] else { return [] }
    let tree = state.project(of: uri)?.tree(document.path) ?? Formatting.tree(document)
    return tree.root.children.flatMap { items($0, document.table) }
  }

  private static func items(_ node: SyntaxNode, _ table: PositionTable) -> [Item] {
    let declaration = DeclarationSyntax(node)
    func item(_ name: String, _ kind: Kind, _ detail: String? = nil, at range: SourceRange? = nil) -> Item {
      Item(
        name: name, detail: detail, kind: kind, range: table.range(node.range),
        selectionRange: table.range(range ?? declaration.nameRange),
        children: declaration.members.flatMap { items($0, table) })
    }
    switch node.kind {
    case .classDeclaration: return [item(declaration.name ?? "?", .class)]
    case .structDeclaration: return [item(declaration.name ?? "?", .structure)]
    case .enumDeclaration: return [item(declaration.name ?? "?", .enumeration)]
    case .conditionalBlock: return node.children.flatMap { items($0, table) }
    case .propertyDeclaration:
      return declaration.bindings.compactMap { binding in
        guard let token = binding.nameToken, let name = binding.name else { return nil }
        let isModel = declaration.attribute(named: "Relationship") != nil
        return item(name, isModel ? .field : .property, binding.type?.text, at: node.tree.range(ofToken: token))
      }
    case .enumCaseDeclaration:
      return node.children(.enumCase).filter(\.hasTokens).map { enumCase in
        item(
          node.tree.name(ofToken: enumCase.firstToken), .enumMember, at: node.tree.range(ofToken: enumCase.firstToken))
      }
    case .migration:
      let version = node.firstToken + 2 < node.tokenEnd ? node.tree.text(ofToken: node.firstToken + 2) : ""
      return [item("migration from \(version)", .event, at: node.tree.range(ofToken: node.firstToken))]
    default: return []
    }
  }

  static func find(_ parameters: SymbolParameters, _ state: inout ServerState) -> [Found] {
    let query = parameters.query.lowercased()
    func isFound(_ name: String) -> Bool { query.isEmpty || name.lowercased().contains(query) }
    return state.folders.keys.sorted().flatMap { home -> [Found] in
      guard let project = state.project(in: home) else { return [] }
      func found(_ name: String, _ kind: Kind, _ range: SourceRange, in container: String?) -> Found? {
        guard isFound(name), let location = project.location(range) else { return nil }
        return Found(name: name, kind: kind, location: location, containerName: container)
      }
      return project.schemas.flatMap { schema -> [Found] in
        let models = schema.entities.flatMap { entity in
          [found(entity.name, .class, entity.range, in: schema.name)]
            + entity.properties.map { found($0.name, .property, $0.range, in: entity.name) }
        }
        let values =
          schema.enums.map { found($0.name, .enumeration, $0.range, in: schema.name) }
          + schema.structs.map { found($0.name, .structure, $0.range, in: schema.name) }
        return (models + values).compactMap(\.self)
      }
    }
  }
}
