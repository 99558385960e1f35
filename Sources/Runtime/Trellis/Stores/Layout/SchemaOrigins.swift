/// The models and properties of an older schema that those of a newer one continue.
struct SchemaOrigins {
  /// An older property, and the name of the model that declared it.
  typealias Source = (model: String, property: any SchemaProperty)

  /// The name in the newer schema to the one in the older schema.
  let models: [String: String]
  private let older: Schema
  private let newer: Schema
  /// By model of the newer schema and by property: the older property of the same model.
  private let own: [String: [String: any SchemaProperty]]

  init(_ older: Schema, of newer: Schema) {
    self.older = older
    self.newer = newer
    let models = NamePairing(from: older.entities.map(\.item), to: newer.entities.map(\.item)).origins
    self.models = models
    let own = newer.entities.map { entity -> (String, [String: any SchemaProperty]) in
      guard let old = models[entity.name].flatMap({ older.entitiesByName[$0] }) else { return (entity.name, [:]) }
      let names = NamePairing(from: old.storedProperties.map(Schema.item), to: entity.storedProperties.map(Schema.item))
      return (entity.name, names.origins.compactMapValues { old.storedPropertiesByName[$0] })
    }
    self.own = Dictionary(own, uniquingKeysWith: { first, _ in first })
  }

  /// The older property of each property of a model that had one.
  func properties(of entity: Schema.Entity) -> [String: any SchemaProperty] { own[entity.name] ?? [:] }

  /// The older properties whose values a property has: that of its model, or those of the subclasses from which it has moved
  /// to its model.
  func sources(of property: any SchemaProperty, in entity: Schema.Entity) -> [Source] {
    if let model = models[entity.name], let former = properties(of: entity)[property.name] { return [(model, former)] }
    let moved = entity.storedProperties.filter { properties(of: entity)[$0.name] == nil }
    return newer.entities.compactMap { subclass in
      guard let old = models[subclass.name].flatMap({ older.entitiesByName[$0] }),
        newer.superclasses(of: subclass).contains(entity.name)
      else { return nil }
      let continued = properties(of: subclass).values.map(\.name)
      let left = old.storedProperties.filter { !continued.contains($0.name) }
      let names = NamePairing(from: left.map(Schema.item), to: moved.map(Schema.item)).origins
      return names[property.name].flatMap { old.storedPropertiesByName[$0] }.map { (old.name, $0) }
    }
  }

  /// The older property of a property that a model has itself or from a superclass.
  func former(_ property: String, of model: String) -> (any SchemaProperty)? {
    guard let entity = newer.entitiesByName[model] else { return nil }
    return ([model] + newer.superclasses(of: entity)).lazy.compactMap { name -> Source? in
      guard let entity = newer.entitiesByName[name], let property = entity.storedPropertiesByName[property] else {
        return nil
      }
      return sources(of: property, in: entity).first
    }.first?.property
  }

  /// True if a property of the newer schema was this one of the older schema.
  func continues(_ property: String, of model: String) -> Bool {
    guard let entity = older.entitiesByName[model] else { return false }
    let classes = [model] + older.superclasses(of: entity)
    return newer.entities.contains { newer in
      newer.storedProperties.contains { current in
        sources(of: current, in: newer).contains { classes.contains($0.model) && $0.property.name == property }
      }
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
