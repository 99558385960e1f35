import SchemaModel

/// The types whose values a store contains as JSON text.
struct JSONTypes {
  /// The enums and structs in JSON values.
  private(set) var names: Set<String> = []
  /// The array, set and dictionary attributes.
  private(set) var collections: [ResolvedAttribute] = []

  init(_ schema: ResolvedSchema) {
    let structs = Dictionary(schema.structs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let enums = Dictionary(schema.enums.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var open: [ValueType] = []
    for entity in schema.entities {
      for case .attribute(let attribute) in entity.properties
      where attribute.isStored && attribute.transformer == nil && attribute.storage != .raw {
        let type = attribute.type.unwrapped
        switch type {
        case .structure(let name) where attribute.storage == .flattened:
          // A flattened struct's fields have columns; only nested values in them are JSON.
          open += structs[name]?.fields.map(\.type) ?? []
        // A type with a raw value is stored as the raw value.
        case .structure(let name) where structs[name]?.hasRawValue ?? false && attribute.storage == nil: break
        case .enumeration, .structure: open.append(type)
        case .array, .set, .dictionary:
          collections.append(attribute)
          open.append(type)
        case .scalar, .opaque, .optional: break
        }
      }
    }
    while let type = open.popLast() {
      for name in type.declaredTypes where names.insert(name).inserted {
        open += structs[name]?.fields.map(\.type) ?? []
        open += enums[name]?.cases.flatMap { $0.payload.map(\.type) } ?? []
      }
    }
  }
}
