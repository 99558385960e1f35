/// The steps of a key path from a row: over to-one references to a stored value.
///
///     \BucketListItem.trip?.destination   // [\BucketListItem.trip], \Trip.destination
struct KeyPathRoute: @unchecked Sendable {  // key paths without captured values, never written
  /// The references to follow.
  let references: [AnyKeyPath]
  /// What is read at the end: an attribute, or the identifier.
  let leaf: AnyKeyPath
  /// The model that has the leaf.
  let definition: ModelDefinition

  /// The route of a key path; nil when it is not one to a stored value.
  static func of(_ keyPath: AnyKeyPath, _ definition: ModelDefinition) -> KeyPathRoute? {
    let paths = ModelPaths.of(definition.modelType)
    if definition.layout.property(for: keyPath) != nil || paths.isIdentifier(keyPath)
      || paths.ownIdentifier(keyPath, definition) != nil
    {
      return KeyPathRoute(references: [], leaf: keyPath, definition: definition)
    }
    guard let path = SortPath.of(keyPath, definition), path.form == .value, path.leafPath == path.leaf?.keyPath,
      let destination = path.hops.last?.kind.destination
    else { return nil }
    return KeyPathRoute(
      references: path.hops.map(\.keyPath), leaf: path.leafPath ?? ModelPaths.of(destination).identifier,
      definition: destination._$definition)
  }
}
