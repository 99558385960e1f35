import SchemaModel

/// Relationship edges, with a single edge for both sides of a pair.
struct RelationshipLines {
  private struct Side {
    var node: Int
    var entity: String
    var relationship: ResolvedRelationship
    var isRemoved: Bool
    var change: DiagramChange.Kind?
  }

  private var sides: [Side] = []
  private let places: [String: Int]

  init(places: [String: Int]) { self.places = places }

  mutating func add(_ entity: ResolvedEntity, at node: Int, _ changes: VersionChanges?) {
    for relationship in entity.relationships {
      let change = changes?.kind(of: relationship.name, in: entity.name)
      sides.append(
        Side(node: node, entity: entity.name, relationship: relationship, isRemoved: false, change: change))
    }
  }

  /// Adds a removed model's relationships.
  mutating func addRemoved(_ entity: ResolvedEntity, at node: Int) {
    for relationship in entity.relationships { addRemoved(relationship, of: entity.name, at: node) }
  }

  mutating func addRemoved(_ relationship: ResolvedRelationship, of entity: String, at node: Int) {
    sides.append(
      Side(node: node, entity: entity, relationship: relationship, isRemoved: true, change: .removed))
  }

  func edges(_ schema: ResolvedSchema, _ changes: VersionChanges?) -> [DiagramEdge] {
    var byTitle: [String: Int] = [:]
    for (index, side) in sides.enumerated() { byTitle[title(side.entity, side)] = index }
    let parents = Dictionary(
      schema.entities.map { ($0.name, $0.superentity) }, uniquingKeysWith: { first, _ in first })
    var edges: [DiagramEdge] = []
    var done: Set<Int> = []
    for (index, side) in sides.enumerated() where done.insert(index).inserted {
      let destination =
        places[side.relationship.destination]
        ?? changes.flatMap { places[$0.newName(of: side.relationship.destination)] }
      guard let destination else { continue }
      var inverse: Int?
      if let name = side.relationship.inverseName {
        var owner: String? = changes?.newName(of: side.relationship.destination) ?? side.relationship.destination
        // The destination can inherit the inverse.
        for _ in 0...schema.entities.count {
          guard let current = owner, inverse == nil else { break }
          inverse = byTitle["\(side.isRemoved ? "-" : "")\(current).\(name)"]
          owner = parents[current] ?? nil
        }
      }
      let other = inverse.flatMap { $0 != index && done.insert($0).inserted ? sides[$0] : nil }
      edges.append(Self.edge(side, other, to: destination, isItsOwnInverse: inverse == index))
    }
    return edges
  }

  private func title(_ entity: String, _ side: Side) -> String {
    "\(side.isRemoved ? "-" : "")\(entity).\(side.relationship.name)"
  }

  private static func edge(
    _ side: Side, _ inverse: Side?, to destination: Int, isItsOwnInverse: Bool
  ) -> DiagramEdge {
    let end = DiagramEnd(side.relationship)
    var edge = DiagramEdge(
      kind: .relationship, from: side.node, to: destination, source: end,
      target: isItsOwnInverse ? end : inverse.map { DiagramEnd($0.relationship) }, change: side.change)
    guard let inverse else { return edge }
    if let change = inverse.change, edge.change != change { edge.change = edge.change == nil ? change : .changed }
    // Direct the edge from the owner to the owned object, and otherwise from the one side to the many side.
    if let other = edge.target, rank(other) > rank(end) {
      swap(&edge.from, &edge.to)
      swap(&edge.source, &edge.target)
    }
    return edge
  }

  private static func rank(_ end: DiagramEnd) -> Int {
    (end.deleteRule == .cascade ? 2 : 0) + (end.isToMany ? 1 : 0)
  }
}
