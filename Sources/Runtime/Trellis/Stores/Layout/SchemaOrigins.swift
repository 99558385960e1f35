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

  /// True if two relationships of the newer schema were inverses of each other in the older one.
  func havePair(_ property: String, of model: String, _ inverse: String, of destination: String) -> Bool {
    func former(_ property: String, of model: String) -> Schema.Relationship? {
      newer.entitiesByName[model].flatMap { properties(of: $0)[property] }?.asRelationship
    }
    guard let own = former(property, of: model), let other = former(inverse, of: destination) else { return false }
    return own.inverseName == other.name
  }
}
