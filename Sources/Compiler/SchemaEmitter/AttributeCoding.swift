import SchemaModel

extension ResolvedAttribute {
  /// The conversion between the property's value and its column.
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

  /// True if the property cannot have a value before the first assignment.
  var isAssignedLater: Bool {
    guard !isTransient, !options.contains(.ephemeral), !type.isOptional else { return false }
    if transformer != nil { return true }
    if case .opaque = type { return true }
    return false
  }
}

extension PropertyPlan.Role {
  /// True if the property has a column or a list.
  var isStored: Bool {
    switch self {
    case .attribute, .toOne, .toMany: true
    case .ephemeral, .transient: false
    }
  }
}
