import SchemaModel

extension ResolvedAttribute {
  /// True if rows contain the attribute.
  var isStored: Bool { !isTransient && !options.contains(.ephemeral) }
}

extension ValueType {
  /// The Swift syntax for an empty value; `nil` if the type has none.
  var emptyValue: String? {
    switch self {
    case .scalar(let scalar): scalar.traits.emptyValue
    case .array, .set: "[]"
    case .dictionary: "[:]"
    case .enumeration, .structure, .opaque, .optional: nil
    }
  }

  /// The names of types that are used here but that the schema does not declare.
  var opaqueNames: [String] {
    switch self {
    case .opaque(let name): [name]
    case .optional(let type), .array(let type), .set(let type): type.opaqueNames
    case .dictionary(let key, let value): key.opaqueNames + value.opaqueNames
    case .scalar, .enumeration, .structure: []
    }
  }

  /// The scalar types that are used directly, not within declared types.
  var scalars: [ScalarType] {
    switch self {
    case .scalar(let scalar): [scalar]
    case .optional(let type), .array(let type), .set(let type): type.scalars
    case .dictionary(let key, let value): key.scalars + value.scalars
    case .enumeration, .structure, .opaque: []
    }
  }
}
