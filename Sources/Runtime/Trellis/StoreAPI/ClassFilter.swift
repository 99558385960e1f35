/// Tells the snapshots of a class, and of those that inherit from it, among all that a store returns.
struct ClassFilter {
  let definition: ModelDefinition
  /// The entities of the hierarchy below the class, itself among them, and those above it.
  private let below: Set<String>
  private let above: Set<String>

  init(_ definition: ModelDefinition, _ schema: Schema) {
    self.definition = definition
    let entity = schema.entitiesByName[definition.entityName]
    below = Set(entity?.hierarchy.map(\.name) ?? []).union([definition.entityName])
    var above = Set<String>()
    var type = Schema.superclass(of: definition.modelType)
    while let next = type {
      above.insert(next._$definition.entityName)
      type = Schema.superclass(of: next)
    }
    self.above = above
  }

  /// Whether a snapshot is of the class. Its identifier may name a class above its own, as identifiers
  /// of a ``DefaultStore`` do.
  func takes(_ snapshot: some DataStoreSnapshot) -> Bool {
    let name = snapshot.persistentIdentifier.entityName
    if below.contains(name) { return true }
    guard above.contains(name), let own = (snapshot as? DefaultSnapshot)?.batch.definition else {
      return false
    }
    return below.contains(own.entityName)
  }

  /// Whether an identifier may be of a model of the class.
  func mayTake(_ identifier: PersistentIdentifier) -> Bool {
    let name = identifier.entityName
    return below.contains(name) || above.contains(name)
  }
}
