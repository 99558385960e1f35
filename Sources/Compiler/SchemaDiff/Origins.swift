import SchemaModel

/// What the declarations of the last of some versions were called in the first one.
struct Origins {
  /// By the name of a model of the last version, that in the first one. New ones are not in it.
  private(set) var entities: [String: String] = [:]
  /// By the names of a model and a property of the last version.
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
