/// The models and properties of an older schema that those of a newer one continue.
struct SchemaOrigins {
  /// The name in the newer schema to the one in the older schema.
  let models: [String: String]
  private let older: Schema
  private let newer: Schema

  init(_ older: Schema, of newer: Schema) {
    self.older = older
    self.newer = newer
    models = NamePairing(from: older.entities.map(\.item), to: newer.entities.map(\.item)).origins
  }

  /// The older property of each property of a model that had one.
  func properties(of entity: Schema.Entity) -> [String: any SchemaProperty] {
    guard let old = models[entity.name].flatMap({ older.entitiesByName[$0] }) else { return [:] }
    let names = NamePairing(from: old.storedProperties.map(Schema.item), to: entity.storedProperties.map(Schema.item))
    return names.origins.compactMapValues { old.storedPropertiesByName[$0] }
  }

  /// The older property of a property that a model has itself or from a superclass.
  func former(_ property: String, of model: String) -> (any SchemaProperty)? {
    guard let entity = newer.entitiesByName[model] else { return nil }
    return ([model] + newer.superclasses(of: entity)).lazy.compactMap { name in
      newer.entitiesByName[name].flatMap { properties(of: $0)[property] }
    }.first
  }

  /// True if a property of the newer schema was this one of the older schema.
  func continues(_ property: String, of model: String) -> Bool {
    guard let entity = older.entitiesByName[model] else { return false }
    let classes = [model] + older.superclasses(of: entity)
    return newer.entities.contains { newer in
      models[newer.name].map(classes.contains) == true && properties(of: newer).values.contains { $0.name == property }
    }
  }

  /// True if two relationships of the newer schema were inverses of each other in the older one.
  func havePair(_ property: String, of model: String, _ inverse: String, of destination: String) -> Bool {
    guard let own = former(property, of: model)?.asRelationship, let other = former(inverse, of: destination)
    else { return false }
    return own.inverseName == other.name
  }
}

extension Schema {
  /// The names of the superclasses of a class, the nearest one first. The number is limited, because a damaged schema of a
  /// store may have a cycle.
  func superclasses(of entity: Schema.Entity) -> [String] {
    let classes = sequence(first: entity) { $0.superentityName.flatMap { self.entitiesByName[$0] } }
    return classes.prefix(entities.count).dropFirst().map(\.name)
  }
}
