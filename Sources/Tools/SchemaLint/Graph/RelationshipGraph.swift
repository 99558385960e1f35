package import SchemaModel

/// A schema's models and relationships.
package struct RelationshipGraph: Sendable {
  /// The relationships in declaration order.
  package let edges: [RelationshipEdge]
  let names: [String]
  let indices: [String: Int]
  let superentities: [Int?]
  let roots: [Int]

  package init(_ schema: ResolvedSchema) {
    let indices = Dictionary(
      schema.entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    superentities = schema.entities.map { $0.superentity.flatMap { indices[$0] } }
    roots = Self.roots(superentities)
    names = schema.entities.map(\.name)
    self.indices = indices
    var edges: [RelationshipEdge] = []
    var own: [OwnEdges] = []
    for index in schema.entities.indices {
      let start = edges.count
      let owner = schema.entities[index].name
      for case .relationship(let relationship) in schema.entities[index].properties {
        edges.append(RelationshipEdge(owner: owner, relationship: relationship, index: edges.count, inverse: nil))
      }
      own.append(OwnEdges(start..<edges.count, edges))
    }
    for index in edges.indices {
      guard case .property(let name) = edges[index].relationship.inverse else { continue }
      var owner = indices[edges[index].relationship.destination]
      var steps = 0
      // The destination can inherit the inverse.
      while let current = owner, steps <= ResolvedSchema.maximumDepth {
        if let found = own[current].edge(name, edges) {
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

  /// The pairs of inverse relationships, each listed once.
  package var pairs: [(first: RelationshipEdge, second: RelationshipEdge)] {
    edges.compactMap { edge in
      guard let inverse = inverse(of: edge), edge.index <= inverse.index else { return nil }
      return (edge, inverse)
    }
  }

  /// Returns true if a relationship and its inverse both have the delete rule.
  package func isMutual(_ rule: DeleteRule, _ edge: RelationshipEdge) -> Bool {
    edge.has(rule) && (inverse(of: edge)?.has(rule) ?? false)
  }

  /// Returns a cycle for each group of models that reach each other over the selected edges.
  ///
  /// The cycle starts with the group's first edge in declaration order.
  package func cycles(over isChosen: (RelationshipEdge) -> Bool) -> [[RelationshipEdge]] {
    search(over: isChosen).cycles().map { $0.map { edges[$0] } }
  }

  /// Returns a search over the selected edges.
  func search(over isChosen: (RelationshipEdge) -> Bool) -> CycleSearch {
    CycleSearch(
      edges: edges.filter(isChosen).compactMap { edge in
        guard let from = indices[edge.owner], let to = indices[edge.relationship.destination]
        else { return nil }
        return CycleSearch.Edge(from: from, to: to, index: edge.index)
      }, superentities: superentities)
  }

  /// Returns the root model of a model's hierarchy.
  package func root(of entity: String) -> String { indices[entity].map { names[roots[$0]] } ?? entity }

  /// Returns true if both ends belong to the same hierarchy.
  func isReflexive(_ edge: RelationshipEdge) -> Bool {
    root(of: edge.owner) == root(of: edge.relationship.destination)
  }

  /// Returns the root model index for each model.
  private static func roots(_ superentities: [Int?]) -> [Int] {
    var roots = [Int?](repeating: nil, count: superentities.count)
    for entity in superentities.indices {
      var line = [entity]
      while let last = line.last, roots[last] == nil, line.count <= superentities.count {
        guard let next = superentities[last] else { break }
        line.append(next)
      }
      guard let last = line.last else { continue }
      let root = roots[last] ?? last
      for member in line { roots[member] = root }
    }
    return roots.enumerated().map { $1 ?? $0 }
  }
}

/// The edges that a model declares. Up to 16 edges are searched by name; more are looked up in a dictionary.
private struct OwnEdges {
  private let range: Range<Int>
  private let places: [String: Int]

  init(_ range: Range<Int>, _ edges: [RelationshipEdge]) {
    self.range = range
    places =
      range.count <= 16
      ? [:]
      : Dictionary(
        range.map { (edges[$0].relationship.name, $0) }, uniquingKeysWith: { _, last in last })
  }

  func edge(_ name: String, _ edges: [RelationshipEdge]) -> Int? {
    range.count <= 16 ? range.first { edges[$0].relationship.name == name } : places[name]
  }
}
