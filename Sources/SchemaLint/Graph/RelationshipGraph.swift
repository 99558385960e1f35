package import SchemaModel

/// Models and the relationships between them.
package struct RelationshipGraph: Sendable {
  /// In declaration order.
  package let edges: [RelationshipEdge]
  private let names: [String]
  private let indices: [String: Int]
  private let superentities: [Int?]

  package init(_ schema: ResolvedSchema) {
    let indices = Dictionary(
      schema.entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    superentities = schema.entities.map { $0.superentity.flatMap { indices[$0] } }
    names = schema.entities.map(\.name)
    self.indices = indices
    var edges: [RelationshipEdge] = []
    var byTitle: [String: Int] = [:]
    for entity in schema.entities {
      for case .relationship(let relationship) in entity.properties {
        let edge = RelationshipEdge(
          owner: entity.name, relationship: relationship, index: edges.count, inverse: nil)
        byTitle[edge.title] = edge.index
        edges.append(edge)
      }
    }
    for index in edges.indices {
      guard case .property(let name) = edges[index].relationship.inverse else { continue }
      var owner = indices[edges[index].relationship.destination]
      var steps = 0
      // The inverse may be inherited by the destination.
      while let current = owner, steps <= schema.entities.count {
        if let found = byTitle["\(schema.entities[current].name).\(name)"] {
          edges[index].inverse = found
          break
        }
        owner = superentities[current]
        steps += 1
      }
    }
    self.edges = edges
  }

  package func inverse(of edge: RelationshipEdge) -> RelationshipEdge? {
    edge.inverse.map { edges[$0] }
  }

  /// Both sides of every pair, once.
  package var pairs: [(first: RelationshipEdge, second: RelationshipEdge)] {
    edges.compactMap { edge in
      guard let inverse = inverse(of: edge), edge.index <= inverse.index else { return nil }
      return (edge, inverse)
    }
  }

  /// Whether both sides of the edge's pair have a delete rule.
  package func isMutual(_ rule: DeleteRule, _ edge: RelationshipEdge) -> Bool {
    edge.has(rule) && (inverse(of: edge)?.has(rule) ?? false)
  }

  /// For every group of models that reach each other over the chosen edges, one way around.
  ///
  /// The way begins with the group's first edge in declaration order.
  package func cycles(over isChosen: (RelationshipEdge) -> Bool) -> [[RelationshipEdge]] {
    CycleSearch(
      edges: edges.filter(isChosen).compactMap { edge in
        guard let from = indices[edge.owner], let to = indices[edge.relationship.destination]
        else { return nil }
        return CycleSearch.Edge(from: from, to: to, index: edge.index)
      }, superentities: superentities
    ).cycles().map { $0.map { edges[$0] } }
  }

  /// The model at the top of a model's hierarchy.
  package func root(of entity: String) -> String {
    guard var index = indices[entity] else { return entity }
    var steps = 0
    while let next = superentities[index], steps < superentities.count {
      index = next
      steps += 1
    }
    return names[index]
  }
}
