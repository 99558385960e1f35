/// Maps models and properties in a newer schema to their counterparts in an older schema.
struct SchemaOrigins {
  /// Newer model names mapped to older model names.
  let models: [String: String]
  /// The older property by newer model and property name, including inherited properties.
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

  /// Returns the older counterpart for a declared or inherited property; `nil` for a new property.
  func former(_ property: String, of model: String) -> (any SchemaProperty)? { properties[model]?[property] }

  /// Returns true if two relationships in the newer schema were inverses in the older schema.
  func havePair(_ property: String, of model: String, _ inverse: String, of destination: String) -> Bool {
    guard let own = former(property, of: model)?.asRelationship, let other = former(inverse, of: destination)
    else { return false }
    return own.inverseName == other.name
  }
}

/// Pairs declarations in a newer version with their counterparts in an older version.
struct NamePairing {
  struct Item {
    let name: String
    /// The former name, from `originalName`.
    let original: String?
  }

  /// New names mapped to old names.
  private(set) var origins: [String: String] = [:]

  init(from old: [Item], to new: [Item]) {
    let known = Dictionary(old.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var taken = Set<String>()
    // A former name takes precedence over an equal name, unless the older version declares the same former name.
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
