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
