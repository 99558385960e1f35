/// A type with resolved names, including models.
indirect enum ReferencedType: Equatable {
  case scalar(ScalarType)
  case enumeration(String)
  case structure(String)
  case model(String)
  /// A type that the schema does not declare. `isKnown` is true if the declaration was found inside a model or in a
  /// Swift file.
  case opaque(String, isKnown: Bool)
  case optional(ReferencedType)
  case array(ReferencedType)
  case set(ReferencedType)
  case dictionary(ReferencedType, ReferencedType)
  /// A tuple, a function type or an existential.
  case unstorable(String)

  /// The type with the outer optional removed.
  var unwrapped: ReferencedType {
    if case .optional(let wrapped) = self { wrapped } else { self }
  }

  /// The corresponding value type. Models become opaque, which only transient properties allow.
  var valueType: ValueType {
    switch self {
    case .scalar(let scalar): .scalar(scalar)
    case .enumeration(let name): .enumeration(name)
    case .structure(let name): .structure(name)
    case .model(let name), .opaque(let name, _), .unstorable(let name): .opaque(name)
    case .optional(let type): .optional(type.valueType)
    case .array(let type): .array(type.valueType)
    case .set(let type): .set(type.valueType)
    case .dictionary(let key, let value): .dictionary(key: key.valueType, value: value.valueType)
    }
  }

  /// True if the predicate holds for the type or any component.
  func contains(_ predicate: (ReferencedType) -> Bool) -> Bool {
    if predicate(self) { return true }
    switch self {
    case .optional(let type), .array(let type), .set(let type): return type.contains(predicate)
    case .dictionary(let key, let value):
      return key.contains(predicate) || value.contains(predicate)
    default: return false
    }
  }

  var containsModel: Bool {
    contains { if case .model = $0 { true } else { false } }
  }

  /// The name of the first component that the schema does not declare.
  var opaqueName: String? {
    var found: String?
    _ = contains {
      if case .opaque(let name, _) = $0 { found = found ?? name }
      return found != nil
    }
    return found
  }

  /// True if the type contains an undeclared type whose declaration was found inside a model or in a Swift file.
  var isNested: Bool {
    contains { if case .opaque(_, isKnown: true) = $0 { true } else { false } }
  }

  var unstorableName: String? {
    var found: String?
    _ = contains {
      if case .unstorable(let name) = $0 { found = found ?? name }
      return found != nil
    }
    return found
  }
}
