/// Which to-many lists may have other members after some commits.
struct ListChanges {
  private var changes = ClassChanges()
  /// Roots of which anything may have changed.
  private var unknown = Set<ObjectIdentifier>()
  private var isWholesale = false
  private let schema: Schema

  init(_ commits: [Commit], schema: Schema) {
    self.schema = schema
    for commit in commits {
      isWholesale = isWholesale || commit.isWholesale
      if let known = commit.changes {
        changes.formUnion(known)
      } else {
        for entity in commit.entities {
          guard let root = schema.entitiesByName[entity]?.definition?.root else { continue }
          unknown.insert(ObjectIdentifier(root))
        }
      }
    }
  }

  /// A list is what the store derives from its members' references, or what was written for its owner.
  func mayAffect(_ relation: Relation, of owner: ModelDefinition) -> Bool {
    if isWholesale { return true }
    let destination = relation.destination.root
    if unknown.contains(ObjectIdentifier(destination)) { return true }
    if unknown.contains(ObjectIdentifier(owner.root)) { return true }
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
