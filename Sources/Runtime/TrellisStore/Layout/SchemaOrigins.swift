/// The models and properties of an older schema that those of a newer one continue.
struct SchemaOrigins {
  /// The name in the newer schema to the one in the older schema.
  let models: [String: String]
  /// By model of the newer schema and by property, inherited ones included: the older property.
  private let properties: [String: [String: any SchemaProperty]]

  init(_ older: Schema, of newer: Schema) {
    let models = NamePairing(from: older.entities.map(\.item), to: newer.entities.map(\.item)).origins
    let properties = newer.entities.map { entity -> (String, [String: any SchemaProperty]) in
      guard let old = models[entity.name].flatMap({ older.entitiesByName[$0] }) else { return (entity.name, [:]) }
      let known = Dictionary(old.properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      let names = NamePairing(from: old.properties.map(Schema.item), to: entity.properties.map(Schema.item)).origins
      return (entity.name, names.compactMapValues { known[$0] })
    }
    self.models = models
    self.properties = Dictionary(properties, uniquingKeysWith: { first, _ in first })
  }

  /// The older property of a property that a model has itself or from a superclass; nil for a new one.
  func former(_ property: String, of model: String) -> (any SchemaProperty)? { properties[model]?[property] }

  /// True if two relationships of the newer schema were inverses of each other in the older one.
  func havePair(_ property: String, of model: String, _ inverse: String, of destination: String) -> Bool {
    guard let own = former(property, of: model)?.asRelationship, let other = former(inverse, of: destination)
    else { return false }
    return own.inverseName == other.name
  }
}

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
