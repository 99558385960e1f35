package import SchemaDiagnostics
package import SchemaModel

/// What rules see of a schema, and where their findings go.
package struct LintContext: Sendable {
  package let schema: ResolvedSchema
  package let graph: RelationshipGraph
  /// Every name the schema declares, in the order of the resolved schema.
  package let names: [DeclaredName]
  let sources: SourceIndex
  /// Enums and structs that end up in a store, by name.
  let storedTypes: Set<String>
  private let entities: [String: ResolvedEntity]
  package private(set) var findings: [Diagnostic] = []

  init(schema: ResolvedSchema, sources: SourceIndex) {
    self.schema = schema
    self.sources = sources
    graph = RelationshipGraph(schema)
    names = DeclaredName.all(in: schema, sources)
    storedTypes = StoredTypes.names(in: schema)
    entities = Dictionary(
      schema.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package mutating func report(_ finding: Diagnostic) { findings.append(finding) }

  /// The entity and those it inherits from, nearest first.
  func lineage(of entity: ResolvedEntity) -> [ResolvedEntity] {
    var result = [entity]
    while let name = result.last?.superentity, let next = entities[name],
      result.count <= schema.entities.count
    {
      result.append(next)
    }
    return result
  }

  /// An attribute by name, inherited ones included.
  func attribute(_ name: String, of entity: ResolvedEntity) -> ResolvedAttribute? {
    for ancestor in lineage(of: entity) {
      for case .attribute(let attribute) in ancestor.properties where attribute.name == name {
        return attribute
      }
    }
    return nil
  }
}
