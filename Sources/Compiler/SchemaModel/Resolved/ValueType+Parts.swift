extension ValueType {
  /// The names of the enums and structs of the schema the type is made of.
  package var declaredTypes: [String] {
    switch self {
    case .enumeration(let name), .structure(let name): [name]
    case .optional(let type), .array(let type), .set(let type): type.declaredTypes
    case .dictionary(let key, let value): key.declaredTypes + value.declaredTypes
    case .scalar, .opaque: []
    }
  }

  /// The type without its optional.
  package var unwrapped: ValueType {
    if case .optional(let wrapped) = self { wrapped } else { self }
  }
}
