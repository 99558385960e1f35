package import SchemaModel

extension Diagram {
  /// Creates a diagram of several schemas.
  package init(_ schemas: [ResolvedSchema]) {
    var builder = DiagramBuilder()
    for schema in schemas { builder.add(schema, changes: nil) }
    self.init(
      title: schemas.map { "\($0.name) \($0.version)" }.joined(separator: ", "), isComparison: false,
      nodes: builder.nodes, edges: builder.edges)
  }

  /// Creates a diagram of each schema's changes.
  ///
  /// - Parameter pairs: For each schema, two or more versions, oldest first.
  package init(comparing pairs: [[ResolvedSchema]]) {
    var builder = DiagramBuilder()
    var titles: [String] = []
    for versions in pairs {
      guard let old = versions.first, let new = versions.last else { continue }
      builder.add(new, changes: VersionChanges(through: versions))
      titles.append("\(old.name) \(old.version) → \(new.name) \(new.version)")
    }
    self.init(
      title: titles.joined(separator: ", "), isComparison: true, nodes: builder.nodes,
      edges: builder.edges)
  }
}

/// Collects cards and edges.
struct DiagramBuilder {
  private(set) var nodes: [DiagramNode] = []
  private(set) var edges: [DiagramEdge] = []

  mutating func add(_ schema: ResolvedSchema, changes: VersionChanges?) {
    let first = nodes.count
    nodes += schema.entities.map { DiagramNode($0, in: schema) }
    nodes += changes?.removedEntities.map { DiagramNode($0, in: schema).removed } ?? []
    nodes += schema.enums.map { DiagramNode($0, in: schema) }
    nodes += changes?.removedEnums.map { DiagramNode($0, in: schema).removed } ?? []
    nodes += schema.structs.map { DiagramNode($0, in: schema) }
    nodes += changes?.removedStructs.map { DiagramNode($0, in: schema).removed } ?? []
    if let changes {
      for index in nodes[first...].indices { changes.mark(&nodes[index]) }
    }
    // A removed declaration and the replacement can have the same name. Prefer the replacement.
    var places: [String: Int] = [:]
    for index in nodes[first...].indices where places[nodes[index].name] == nil || nodes[index].change?.kind != .removed
    {
      places[nodes[index].name] = index
    }
    let types = TypeUses(schema, changes)
    for index in nodes[first...].indices {
      var seen: Set<Int> = [index]
      for (row, names) in types.uses(of: nodes[index]) {
        nodes[index].rows[row].target = names.lazy.compactMap { places[$0] }.first
        for name in names {
          guard let place = places[name], !nodes[place].isModel, seen.insert(place).inserted else { continue }
          edges.append(DiagramEdge(kind: .use, from: index, to: place))
        }
      }
    }
    var relations = RelationshipLines(places: places)
    for entity in schema.entities {
      guard let index = places[entity.name] else { continue }
      relations.add(entity, at: index, changes)
      guard let ancestor = entity.superentity.flatMap({ places[$0] }) else { continue }
      edges.append(
        DiagramEdge(
          kind: .inheritance, from: ancestor, to: index,
          change: changes?.kindOfInheritance(of: entity.name)))
    }
    for (offset, entity) in (changes?.removedEntities ?? []).enumerated() {
      relations.addRemoved(entity, at: first + schema.entities.count + offset)
    }
    for removed in changes?.removedRelationships ?? [] {
      guard let index = places[removed.entity] else { continue }
      relations.addRemoved(removed.relationship, of: removed.entity, at: index)
    }
    edges += relations.edges(schema, changes)
  }
}
