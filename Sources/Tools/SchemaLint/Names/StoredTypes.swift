import SchemaModel

/// Finds the enums and structs that attributes store, directly or nested.
enum StoredTypes {
  static func names(in schema: ResolvedSchema) -> Set<String> {
    var inside: [String: [ValueType]] = [:]
    for value in schema.structs { inside[value.name] = value.fields.map(\.type) }
    for value in schema.enums {
      inside[value.name] = value.cases.flatMap { $0.payload.map(\.type) }
    }
    var open: [ValueType] = []
    for entity in schema.entities {
      for case .attribute(let attribute) in entity.properties where !attribute.isTransient {
        open.append(attribute.type)
      }
    }
    var found: Set<String> = []
    while let type = open.popLast() {
      switch type {
      case .enumeration(let name), .structure(let name):
        if found.insert(name).inserted { open += inside[name] ?? [] }
      case .optional(let wrapped), .array(let wrapped), .set(let wrapped): open.append(wrapped)
      case .dictionary(let key, let value): open += [key, value]
      case .scalar, .opaque: break
      }
    }
    return found
  }
}
