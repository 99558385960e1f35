import SchemaDiagnostics
import SchemaGraph
import SchemaModel
import SchemaSyntax

/// Shows what a relationship does although it is not written: the inverse that was found, and the default delete rule.
enum InlayHints {
  struct Hint: Encodable {
    var position: Position
    var label: String
    var tooltip: String
    var paddingLeft = true
  }

  static func hints(_ parameters: RangeParameters, _ state: inout ServerState) -> [Hint] {
    let uri = parameters.textDocument.uri
    guard let (project, tree) = state.tree(of: uri),
      let schema = project.schema(containing: tree.fileIndex), let table = project.table(tree.fileIndex)
    else { return [] }
    let wanted = table.range(parameters.range)
    return tree.root.children.flatMap { node -> [Hint] in
      let declaration = DeclarationSyntax(node)
      guard node.kind == .classDeclaration, node.range.end >= wanted.lowerBound, node.range.start <= wanted.upperBound,
        let entity = schema.entities.first(where: { $0.name == declaration.name })
      else { return [] }
      return declaration.members.flatMap { hints($0, entity, table, wanted) }
    }
  }

  private static func hints(
    _ member: SyntaxNode, _ entity: ResolvedEntity, _ table: PositionTable, _ wanted: Range<Int>
  ) -> [Hint] {
    let declaration = DeclarationSyntax(member)
    let labels = declaration.attribute(named: "Relationship")?.arguments.compactMap(\.label) ?? []
    return declaration.bindings.flatMap { binding -> [Hint] in
      guard let type = binding.type, wanted.contains(type.range.end),
        let relationship = entity.relationships.first(where: { $0.name == binding.name })
      else { return [] }
      let position = table.position(at: type.range.end)
      var hints: [Hint] = []
      if !labels.contains("inverse"), case .property(let inverse) = relationship.inverse {
        let name = "\\\(relationship.destination).\(inverse)"
        hints.append(Hint(position: position, label: "inverse: \(name)", tooltip: "The inverse was found by its type."))
      }
      if !labels.contains("deleteRule") {
        hints.append(
          Hint(
            position: position, label: "deleteRule: .\(relationship.deleteRule.rawValue)",
            tooltip: "The default delete rule. A deleted '\(entity.name)' is removed from the other side."))
      }
      return hints
    }
  }
}
