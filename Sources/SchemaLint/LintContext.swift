package import SchemaDiagnostics
package import SchemaModel
package import SchemaVersions

/// What rules see of a schema, and where their findings go.
package struct LintContext: Sendable {
  package let schema: ResolvedSchema
  package let graph: RelationshipGraph
  /// Every name the schema declares, in the order of the resolved schema.
  package let names: [DeclaredName]
  let sources: SourceIndex
  /// Enums and structs that are stored as another value.
  let rawTypes: Set<String>
  /// Enums and structs that end up in a store, by name.
  let storedTypes: Set<String>
  private let entities: [String: ResolvedEntity]
  /// The schema with its released versions, where they are known.
  package let history: SchemaHistory?
  /// The way to the head that can still be changed.
  let openStage: PlannedStage?
  /// What changed since the newest version that is promoted, where one is.
  let promotion: Promotion?
  let settings: LintSettings
  /// The words of the tests that try migrations; nil where nobody looked.
  let testWords: Set<String>?
  package private(set) var findings: [Diagnostic] = []

  init(
    schema: ResolvedSchema, sources: SourceIndex, history: SchemaHistory? = nil,
    settings: LintSettings = LintSettings(), testWords: Set<String>? = nil
  ) {
    self.schema = schema
    self.sources = sources
    self.history = history
    self.settings = settings
    openStage = history?.openStage
    promotion = history.flatMap { Promotion($0, settings.promoted[.cloudkit]) }
    self.testWords = testWords
    graph = RelationshipGraph(schema)
    names = DeclaredName.all(in: schema, sources)
    rawTypes = Set(schema.enums.filter { $0.rawType != nil }.map(\.name))
      .union(schema.structs.filter(\.hasRawValue).map(\.name))
    storedTypes = StoredTypes.names(in: schema)
    entities = Dictionary(
      schema.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package mutating func report(_ finding: Diagnostic) { findings.append(finding) }

  func entity(_ name: String) -> ResolvedEntity? { entities[name] }

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

  /// A number a rule can be set to.
  func number(_ option: String, of rule: any RuleDescription.Type) -> Int {
    guard case .integer(let number)? = settings.value(option, of: rule) else { return 0 }
    return number
  }

  /// A list of words a rule can be given.
  func words(_ option: String, of rule: any RuleDescription.Type) -> [String] {
    guard case .words(let words)? = settings.value(option, of: rule) else { return [] }
    return words
  }
}
