import SchemaDiagnostics
package import SchemaModel

/// Maps old names to new names, so that a rename is a single change and not a change at every reference.
struct NameHistory {
  let old: ResolvedSchema
  let new: ResolvedSchema
  let entities: Pairing<ResolvedEntity>
  private let properties: [String: Pairing<ResolvedProperty>]
  private let entityNames: [String: String]
  private let propertyNames: [String: [String: String]]
  private let oldEntities: [String: ResolvedEntity]

  /// - Parameter origins: Matching declarations, if the two versions alone do not determine them.
  init(from old: ResolvedSchema, to new: ResolvedSchema, origins: Origins? = nil) {
    self.old = old
    self.new = new
    entities =
      if let origins {
        Pairing(
          from: old.entities, to: new.entities, name: \.name, origin: { origins.entities[$0.name] })
      } else {
        Pairing(from: old.entities, to: new.entities, name: \.name, originalName: \.originalName)
      }
    var properties: [String: Pairing<ResolvedProperty>] = [:]
    var entityNames: [String: String] = [:]
    var propertyNames: [String: [String: String]] = [:]
    for case (let before?, let after) in entities.pairs {
      let pairing =
        if let origins {
          Pairing(
            from: before.properties, to: after.properties, name: \.name,
            origin: { origins.properties[after.name]?[$0.name] })
        } else {
          Pairing(
            from: before.properties, to: after.properties, name: \.name, originalName: \.originalName)
        }
      properties[after.name] = pairing
      entityNames[before.name] = after.name
      for case (let property?, let successor) in pairing.pairs {
        propertyNames[before.name, default: [:]][property.name] = successor.name
      }
    }
    self.properties = properties
    self.entityNames = entityNames
    self.propertyNames = propertyNames
    oldEntities = old.entities.keyed(by: \.name)
  }

  /// Returns the old and new properties of a new entity.
  func properties(of entity: ResolvedEntity) -> Pairing<ResolvedProperty> {
    properties[entity.name] ?? Pairing(from: [], to: entity.properties, name: \.name)
  }

  /// Returns the new name for an old entity name.
  func entity(_ name: String) -> String { entityNames[name] ?? name }

  /// Returns the new name for a property that an old entity declares or inherits.
  func property(_ name: String, of entity: String) -> String {
    var owner: String? = entity
    var steps = 0
    while let current = owner, steps <= old.entities.count {
      if let successor = propertyNames[current]?[name] { return successor }
      owner = oldEntities[current]?.superentity
      steps += 1
    }
    return name
  }
}

extension ResolvedProperty {
  package var originalName: String? {
    switch self {
    case .attribute(let attribute): attribute.originalName
    case .relationship(let relationship): relationship.originalName
    }
  }
}
