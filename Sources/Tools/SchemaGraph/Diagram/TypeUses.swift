import SchemaModel

/// The declarations that a card's rows use.
struct TypeUses {
  /// The used names, by declaration name and member name.
  private var names: [String: [String: [String]]] = [:]

  init(_ schema: ResolvedSchema, _ changes: VersionChanges?) {
    for entity in schema.entities + (changes?.removedEntities ?? []) { add(entity.properties, to: entity.name) }
    for (entity, property) in changes?.removedProperties ?? [] { add([property], to: entity) }
    for type in schema.enums + (changes?.removedEnums ?? []) {
      for one in type.cases where !one.payload.isEmpty {
        names[type.name, default: [:]][one.name] = one.payload.flatMap(\.type.declaredTypes)
      }
    }
    for type in schema.structs + (changes?.removedStructs ?? []) {
      for field in type.fields { names[type.name, default: [:]][field.name] = field.type.declaredTypes }
    }
  }

  private mutating func add(_ properties: [ResolvedProperty], to entity: String) {
    for property in properties {
      let found =
        switch property {
        case .attribute(let attribute): attribute.type.declaredTypes
        case .relationship(let relationship): [relationship.destination]
        }
      if names[entity]?[property.name] == nil { names[entity, default: [:]][property.name] = found }
    }
  }

  func uses(of node: DiagramNode) -> [(row: Int, names: [String])] {
    guard let members = names[node.name] else { return [] }
    return node.rows.enumerated().compactMap { index, row in
      guard row.kind != .constraint, let names = members[row.name], !names.isEmpty else { return nil }
      return (index, names)
    }
  }
}
