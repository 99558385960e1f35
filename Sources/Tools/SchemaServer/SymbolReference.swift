import SchemaCommands
import SchemaDiagnostics
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// A model, a property or a value type at a position, with all places that name it.
struct SymbolReference {
  enum Symbol {
    case model(ResolvedEntity)
    case property(ResolvedProperty, of: ResolvedEntity)
    case enumeration(ResolvedEnum)
    case structure(ResolvedStruct)
  }

  let symbol: Symbol
  let schema: ResolvedSchema
  let project: Project
  /// The source range of the word at the position.
  let range: SourceRange

  /// Finds the symbol at an offset.
  init?(at offset: Int, in tree: SyntaxTree, _ project: Project) {
    guard let token = Self.identifier(at: offset, in: tree), let schema = project.schema(containing: tree.fileIndex)
    else { return nil }
    let name = tree.name(ofToken: token)
    let range = tree.range(ofToken: token)
    self.range = range
    self.schema = schema
    self.project = project
    if let value = Self.valueType(name, schema) {
      symbol = value
      return
    }
    let history = project.history(of: schema)
    if let entity = schema.entities.first(where: { $0.name == name }),
      entity.range == range || Self.places(of: name, history, project).contains(range)
    {
      symbol = .model(entity)
      return
    }
    for entity in schema.entities {
      for property in entity.properties where property.name == name {
        guard
          property.range == range || Self.places(of: "\(entity.name).\(name)", history, project).contains(range)
        else { continue }
        symbol = .property(property, of: entity)
        return
      }
    }
    return nil
  }

  private static func valueType(_ name: String, _ schema: ResolvedSchema) -> Symbol? {
    schema.enums.first { $0.name == name }.map { .enumeration($0) }
      ?? schema.structs.first { $0.name == name }.map { .structure($0) }
  }

  /// Returns the identifier at or directly before an offset.
  static func identifier(at offset: Int, in tree: SyntaxTree) -> Int? {
    tree.tokens.firstIndex {
      $0.kind == .identifier && Int($0.start) <= offset && offset <= Int($0.end)
    }
  }

  /// The declaration as `trellis rename` names it; nil for value types, whose names are not stored.
  var path: String? {
    switch symbol {
    case .model(let entity): entity.name
    case .property(let property, let entity): "\(entity.name).\(property.name)"
    case .enumeration, .structure: nil
    }
  }

  var declaration: SourceRange {
    switch symbol {
    case .model(let entity): entity.range
    case .property(let property, _): property.range
    case .enumeration(let type): type.range
    case .structure(let type): type.range
    }
  }

  /// All places that name the symbol, including the declaration.
  var places: [SourceRange] {
    if let path {
      return Self.places(of: path, project.history(of: schema), project).union([declaration]).sorted()
    }
    let name = project.files[declaration.file].text(from: declaration.start, to: declaration.end)
    return project.trees.flatMap { tree in
      tree.tokens.indices.filter { tree.tokens[$0].kind == .identifier && tree.name(ofToken: $0) == name }
        .map { tree.range(ofToken: $0) }
    }
  }

  private static func places(of path: String, _ history: SchemaHistory, _ project: Project) -> Set<SourceRange> {
    Set(RenamePlan.places(of: path, history, in: project.linted.folder))
  }
}
