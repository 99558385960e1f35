import SchemaSyntax

/// Definitions and references.
enum References {
  struct Highlight: Encodable { var range: DocumentRange }

  static func symbol(_ uri: String, _ position: Position, _ state: inout ServerState) -> SymbolReference? {
    guard let (project, tree) = state.tree(of: uri),
      let table = project.table(tree.fileIndex)
    else { return nil }
    return SymbolReference(at: table.offset(of: position), in: tree, project)
  }

  static func definition(_ parameters: PositionParameters, _ state: inout ServerState) -> Location? {
    symbol(parameters.textDocument.uri, parameters.position, &state).flatMap { $0.project.location($0.declaration) }
  }

  static func find(_ parameters: ReferenceParameters, _ state: inout ServerState) -> [Location] {
    guard let symbol = symbol(parameters.textDocument.uri, parameters.position, &state) else { return [] }
    return symbol.places.filter { parameters.context.includeDeclaration || $0 != symbol.declaration }
      .compactMap(symbol.project.location)
  }

  static func highlights(_ parameters: PositionParameters, _ state: inout ServerState) -> [Highlight] {
    let uri = parameters.textDocument.uri
    guard let symbol = symbol(uri, parameters.position, &state) else { return [] }
    return symbol.places.compactMap(symbol.project.location).filter { $0.uri == uri }.map { Highlight(range: $0.range) }
  }
}
