/// Selects the snapshots of a class and its subclasses from the snapshots that a store returns.
struct ClassFilter {
  let definition: ModelDefinition
  /// The entity names of the class and its subclasses; `above` contains those of its superclasses.
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

  /// True if a snapshot belongs to the class. Its identifier can name a superclass, as identifiers of a
  /// ``DefaultStore`` do.
  func takes(_ snapshot: some DataStoreSnapshot) -> Bool {
    let name = snapshot.persistentIdentifier.entityName
    if below.contains(name) { return true }
    guard above.contains(name), let own = (snapshot as? DefaultSnapshot)?.buffer.definition else {
      return false
    }
    return below.contains(own.entityName)
  }

  /// True if an identifier can belong to a model of the class.
  func mayTake(_ identifier: PersistentIdentifier) -> Bool {
    let name = identifier.entityName
    return below.contains(name) || above.contains(name)
  }
}
