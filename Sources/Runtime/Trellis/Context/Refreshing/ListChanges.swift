/// Which to-many lists may have other members after a commit.
struct ListChanges {
  private let commit: Commit
  /// Roots of which anything may have changed.
  private var unknown = Set<ObjectIdentifier>()
  private let schema: Schema

  init(_ commit: Commit, schema: Schema) {
    self.commit = commit
    self.schema = schema
    guard commit.changes == nil else { return }
    for entity in commit.entities {
      guard let root = schema.entitiesByName[entity]?.definition?.root else { continue }
      unknown.insert(ObjectIdentifier(root))
    }
  }

  /// A list is what the store derives from its members' references, or what was written for its owner.
  func mayAffect(_ relation: Relation, of owner: ModelDefinition) -> Bool {
    if commit.isWholesale { return true }
    let destination = relation.destination.root
    if unknown.contains(ObjectIdentifier(destination)) { return true }
    if unknown.contains(ObjectIdentifier(owner.root)) { return true }
    guard let changes = commit.changes else { return false }
    if let change = changes[owner] {
      if change.isUnknown || change.lists.contains(relation.property.slot) { return true }
    }
    for entity in schema.entitiesByName[destination.entityName]?.hierarchy ?? [] {
      guard let definition = entity.definition, let change = changes[definition] else { continue }
      if change.comesOrGoes || change.isUnknown { return true }
      guard let inverse = relation.inverse else { continue }
      let set = inverse.kind.isToMany ? change.lists : change.columns
      if inverse.slot >= 0, set.contains(inverse.slot) { return true }
    }
    return false
  }
}
