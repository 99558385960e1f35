/// The declarations of an older version that those of a newer version continue.
struct NamePairing {
  struct Item {
    let name: String
    /// The former name by `originalName`.
    let original: String?
  }

  /// New name to old one.
  private(set) var origins: [String: String] = [:]

  init(from old: [Item], to new: [Item]) {
    let known = Dictionary(old.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var taken = Set<String>()
    // A former name is preferred to an equal name, unless the older version states the same former name.
    for item in new {
      guard let origin = item.original, origin != item.name, known[origin] != nil else { continue }
      if let same = known[item.name], same.original == origin { continue }
      if taken.insert(origin).inserted { origins[item.name] = origin }
    }
    for item in new where origins[item.name] == nil {
      guard known[item.name] != nil, taken.insert(item.name).inserted else { continue }
      origins[item.name] = item.name
    }
  }
}

extension NamePairing.Item {
  init(_ property: ModelProperty) {
    self.init(
      name: property.name,
      original: property.attribute?.originalName.nonEmpty
        ?? property.relationship?.originalName.nonEmpty)
  }
}

extension Schema {
  static func item(_ property: any SchemaProperty) -> NamePairing.Item {
    NamePairing.Item(
      name: property.name,
      original: property.asAttribute?.originalName.nonEmpty
        ?? property.asRelationship?.originalName.nonEmpty)
  }
}

extension Schema.Entity {
  var item: NamePairing.Item {
    NamePairing.Item(name: name, original: originalName.nonEmpty)
  }
}

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
