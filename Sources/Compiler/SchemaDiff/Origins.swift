import SchemaModel

/// Maps names in the last version to names in the first version.
struct Origins {
  /// The model names in the first version, by name in the last version. New models are omitted.
  private(set) var entities: [String: String] = [:]
  /// The property names in the first version, by model and property name in the last version.
  private(set) var properties: [String: [String: String]] = [:]

  init(through versions: [ResolvedSchema]) {
    guard let last = versions.last else { return }
    let hops = zip(versions, versions.dropFirst()).map { Counterparts(from: $0, to: $1) }
    for entity in last.entities {
      var name: String? = entity.name
      for hop in hops.reversed() { name = name.flatMap { hop.entities[$0] } }
      guard let name else { continue }
      entities[entity.name] = name
      for property in entity.properties {
        let own = Self.origin(of: property.name, in: entity.name, hops)
        if let own { properties[entity.name, default: [:]][property.name] = own }
      }
    }
  }

  private static func origin(of property: String, in entity: String, _ hops: [Counterparts]) -> String? {
    var (entity, property) = (entity, property)
    for hop in hops.reversed() {
      guard let before = hop.entities[entity], let name = hop.oldName(of: property, in: entity) else {
        return nil
      }
      (entity, property) = (before, name)
    }
    return property
  }
}
