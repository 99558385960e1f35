package import SchemaModel

extension ValueType {
  /// The type in Swift syntax.
  package var spelling: String {
    switch self {
    case .scalar(let scalar): scalar.rawValue
    case .enumeration(let name), .structure(let name), .opaque(let name): name
    case .optional(let wrapped): "\(wrapped.spelling)?"
    case .array(let element): "[\(element.spelling)]"
    case .set(let element): "Set<\(element.spelling)>"
    case .dictionary(let key, let value): "[\(key.spelling): \(value.spelling)]"
    }
  }
}

extension ResolvedRelationship {
  /// The cardinality in diagram notation.
  var count: String {
    guard isToMany else { return isRequired ? "1" : "0..1" }
    let least = minimumCount ?? 0
    guard let most = maximumCount, most > 0 else { return "\(least)..*" }
    return least == most ? "\(most)" : "\(least)..\(most)"
  }
}

extension ResolvedEntity {
  package var relationships: [ResolvedRelationship] {
    properties.compactMap { property in
      if case .relationship(let relationship) = property { relationship } else { nil }
    }
  }

  var attributes: [ResolvedAttribute] {
    properties.compactMap { property in
      if case .attribute(let attribute) = property { attribute } else { nil }
    }
  }
}
