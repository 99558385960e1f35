package import SchemaDiagnostics
package import SchemaModel
package import SchemaVersions

/// The input for lint rules, and the findings that they report.
package struct LintContext: Sendable {
  package let schema: ResolvedSchema
  package let graph: RelationshipGraph
  /// The declared names in resolved-schema order.
  package let names: [DeclaredName]
  let sources: SourceIndex
  /// The enums and structs that are stored as raw values.
  let rawTypes: Set<String>
  /// The names of enums and structs that are stored, directly or within other values.
  let storedTypes: Set<String>
  /// Property indices by name, for entities with many properties.
  private let places: [Int: [String: Int]]
  /// The schema and its released versions; `nil` if they are unknown.
  package let history: SchemaHistory?
  /// The migration stages to the newest version; empty if that version is released.
  let openStages: [PlannedStage]
  /// The changes since the newest promoted version; `nil` if no version was promoted.
  let promotion: Promotion?
  let settings: LintSettings
  /// The words in migration tests; `nil` if tests were not read.
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
    openStages = history?.openStages ?? []
    promotion = history.flatMap { Promotion($0, settings.promoted[.cloudkit]) }
    self.testWords = testWords
    graph = RelationshipGraph(schema)
    names = DeclaredName.all(in: schema, sources)
    var rawTypes: Set<String> = []
    for index in schema.enums.indices where schema.enums[index].rawType != nil {
      rawTypes.insert(schema.enums[index].name)
    }
    for index in schema.structs.indices where schema.structs[index].hasRawValue {
      rawTypes.insert(schema.structs[index].name)
    }
    self.rawTypes = rawTypes
    storedTypes = StoredTypes.names(in: schema)
    var places: [Int: [String: Int]] = [:]
    for (index, entity) in schema.entities.enumerated() where entity.properties.count > 16 {
      places[index] = Dictionary(
        entity.properties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
    self.places = places
  }

  package mutating func report(_ finding: Diagnostic) { findings.append(finding) }

  func entity(_ name: String) -> ResolvedEntity? { graph.indices[name].map { schema.entities[$0] } }

  /// Returns the entity and its superentities, nearest first.
  func lineage(of entity: ResolvedEntity) -> [ResolvedEntity] {
    var result = [entity]
    while let name = result.last?.superentity, let next = self.entity(name),
      result.count <= ResolvedSchema.maximumDepth
    {
      result.append(next)
    }
    return result
  }

  /// Returns an attribute by name, including inherited attributes.
  func attribute(_ name: String, of entity: ResolvedEntity) -> ResolvedAttribute? {
    for ancestor in lineage(of: entity) {
      let known = ancestor.properties.count > 16 ? graph.indices[ancestor.name].flatMap { places[$0] } : nil
      let place = known == nil ? ancestor.properties.firstIndex { $0.name == name } : known?[name]
      if let place, case .attribute(let attribute) = ancestor.properties[place] { return attribute }
    }
    return nil
  }

  /// The maximum number of constraints to compare and properties to check. An unlimited comparison of all pairs would
  /// take quadratic time.
  static let compared = 64

  /// Returns an entity's unique constraints, up to ``compared``, with inherited constraints last.
  func uniques(of entity: ResolvedEntity) -> [ResolvedUnique] {
    if entity.superentity == nil { return Array(entity.uniques.prefix(Self.compared)) }
    var result: [ResolvedUnique] = []
    for ancestor in lineage(of: entity) where result.count < Self.compared {
      result += ancestor.uniques.prefix(Self.compared - result.count)
    }
    return result
  }

  /// Returns an entity's inherited unique constraints, up to ``compared``.
  func inheritedUniques(of entity: ResolvedEntity) -> [ResolvedUnique] {
    entity.superentity.flatMap { self.entity($0) }.map { uniques(of: $0) } ?? []
  }

  /// Returns the value of a numeric option.
  func number(_ option: String, of rule: any RuleDescription.Type) -> Int {
    guard case .integer(let number)? = settings.value(option, of: rule) else { return 0 }
    return number
  }

  /// Returns the value of a word list option.
  func words(_ option: String, of rule: any RuleDescription.Type) -> [String] {
    guard case .words(let words)? = settings.value(option, of: rule) else { return [] }
    return words
  }
}
