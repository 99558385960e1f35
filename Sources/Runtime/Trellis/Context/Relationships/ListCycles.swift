/// Which to-many relationships may lead back to the model they start from.
///
/// A list that holds its members is a reference cycle as soon as lists of theirs lead back: friends
/// of friends, tags and the notes that bear them. Where the schema rules that out, lists hold their
/// members.
final class ListCycles: Sendable {
  /// Of root entities whose lists may lead back to them.
  private let groups: CyclicGroups

  init(_ schema: Schema) {
    var edges: [String: Set<String>] = [:]
    for entity in schema.entities {
      for list in Schema.relationships(in: entity.storedProperties)
      where !list.isToOneRelationship {
        guard let destination = schema.entitiesByName[list.destination] else { continue }
        edges[entity.root.name, default: []].insert(destination.root.name)
      }
    }
    groups = CyclicGroups(edges)
  }

  /// Whether lists may lead from a member of the to-many relationship back to its owner.
  func mayClose(_ relation: Relation, of owner: ModelDefinition) -> Bool {
    groups.share(owner.root.entityName, relation.destination.root.entityName)
  }
}
