import SchemaModel

extension ResolvedAttribute {
  /// Whether rows have it.
  var isStored: Bool { !isTransient && !options.contains(.ephemeral) }
}

extension ValueType {
  /// The plainest value, as it is written; nil where none suggests itself.
  var emptyValue: String? {
    switch self {
    case .scalar(let scalar): scalar.traits.emptyValue
    case .array, .set: "[]"
    case .dictionary: "[:]"
    case .enumeration, .structure, .opaque, .optional: nil
    }
  }

  /// The types in it that the schema does not declare.
  var opaqueNames: [String] {
    switch self {
    case .opaque(let name): [name]
    case .optional(let type), .array(let type), .set(let type): type.opaqueNames
    case .dictionary(let key, let value): key.opaqueNames + value.opaqueNames
    case .scalar, .enumeration, .structure: []
    }
  }

  /// The scalars in it that are written directly, not those of declared types.
  var scalars: [ScalarType] {
    switch self {
    case .scalar(let scalar): [scalar]
    case .optional(let type), .array(let type), .set(let type): type.scalars
    case .dictionary(let key, let value): key.scalars + value.scalars
    case .enumeration, .structure, .opaque: []
    }
  }
}
