import SchemaModel

extension ResolvedAttribute {
  /// How the value gets to and from its column.
  var coding: PropertyPlan.Coding {
    if let transformer { return .transformed(transformer) }
    if options.contains(.externalStorage), type.unwrapped == .scalar(.data) { return .external }
    if storage == .flattened { return .flattened }
    if storage == .json || options.contains(.codable) { return .codable }
    switch type.unwrapped {
    case .opaque: return storage == .raw ? .raw : .automatic
    default: return type.opaqueType == nil ? .value : .codable
    }
  }

  /// Whether no value can be made for the property before it has one.
  var isAssignedLater: Bool {
    guard !isTransient, !options.contains(.ephemeral), !type.isOptional else { return false }
    if transformer != nil { return true }
    if case .opaque = type { return true }
    return false
  }
}

extension PropertyPlan.Role {
  /// Whether a column or a list belongs to the property.
  var isStored: Bool {
    switch self {
    case .attribute, .toOne, .toMany: true
    case .ephemeral, .transient: false
    }
  }
}
