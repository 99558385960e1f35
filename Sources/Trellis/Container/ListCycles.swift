/// Which to-many relationships may lead back to the model they start from.
///
/// A list that holds its members is a reference cycle as soon as lists of theirs lead back: friends
/// of friends, tags and the notes that bear them. Where the schema rules that out, lists hold their
/// members.
struct ListCycles: Sendable {
  /// Root entities whose lists may lead back to them; those of one cycle share a number.
  private let groups: [String: Int]

  init(_ schema: Schema) {
    var edges: [String: Set<String>] = [:]
    for entity in schema.entities {
      for case let list as Schema.Relationship in entity.storedProperties
      where !list.isToOneRelationship {
        guard let destination = schema.entitiesByName[list.destination] else { continue }
        edges[entity.root.name, default: []].insert(destination.root.name)
      }
    }
    var reachable: [String: Set<String>] = [:]
    for name in edges.keys { reachable[name] = Self.reachable(from: name, edges) }
    var groups: [String: Int] = [:]
    for name in edges.keys.sorted()
    where groups[name] == nil && reachable[name]?.contains(name) == true {
      let number = groups.count
      for other in reachable[name] ?? [] where reachable[other]?.contains(name) == true {
        groups[other] = number
      }
    }
    self.groups = groups
  }

  private static func reachable(
    from start: String, _ edges: [String: Set<String>]
  ) -> Set<String> {
    var found = Set<String>()
    var queue = [start]
    while let name = queue.popLast() {
      for next in edges[name] ?? [] where found.insert(next).inserted { queue.append(next) }
    }
    return found
  }

  /// Whether lists may lead from a member of the to-many relationship back to its owner.
  func mayClose(_ relation: Relation, of owner: ModelDefinition) -> Bool {
    guard !groups.isEmpty, let group = groups[owner.root.entityName] else { return false }
    return groups[relation.destination.root.entityName] == group
  }
}
