import Synchronization

/// The way a key path goes from a row: over to-one references to a stored value.
///
///     \BucketListItem.trip?.destination   // [\BucketListItem.trip], \Trip.destination
struct KeyPathRoute: @unchecked Sendable {  // key paths without captured values, never written
  /// The references to follow.
  let references: [AnyKeyPath]
  /// What is read at the end: an attribute, or the identifier.
  let leaf: AnyKeyPath
  /// The model that has the leaf.
  let definition: ModelDefinition

  private static let known = Mutex<[AnyKeyPath: KeyPathRoute?]>([:])

  /// The route of a key path; nil when it is not one to a stored value.
  static func of(_ keyPath: AnyKeyPath, _ definition: ModelDefinition) -> KeyPathRoute? {
    if isOwn(keyPath, definition) {
      return KeyPathRoute(references: [], leaf: keyPath, definition: definition)
    }
    let key = Box(keyPath: keyPath)
    if let found = known.withLock({ $0[key.keyPath] }) { return found }
    let found = chain(keyPath, definition)
    known.withLock { $0[key.keyPath] = .some(found) }
    return found
  }

  private static func chain(
    _ keyPath: AnyKeyPath, _ definition: ModelDefinition
  ) -> KeyPathRoute? {
    if let path = SortPath.of(keyPath, definition) {
      guard path.form == .value, let leaf = path.leaf, path.leafPath == leaf.keyPath,
        let last = path.hops.last,
        let destination = last.kind.destination
      else { return nil }
      return KeyPathRoute(
        references: path.hops.map(\.keyPath), leaf: leaf.keyPath,
        definition: destination._$definition)
    }
    guard let references = IdentifierRoute.references(keyPath, definition),
      let end = references.reduce(definition, { definition, reference in
        let property = definition?.layout.property(for: reference)
        return property?.kind.destination?._$definition
      } as (ModelDefinition?, AnyKeyPath) -> ModelDefinition?)
    else { return nil }
    return KeyPathRoute(
      references: references, leaf: ModelPaths.of(end.modelType).identifier, definition: end)
  }

  private static func isOwn(_ keyPath: AnyKeyPath, _ definition: ModelDefinition) -> Bool {
    definition.layout.property(for: keyPath) != nil
      || ModelPaths.of(definition.modelType).isIdentifier(keyPath)
      || ModelPaths.of(definition.modelType).ownIdentifier(keyPath, definition) != nil
  }

  /// A key path on its way into the lock.
  private struct Box: @unchecked Sendable {  // key paths without captured values, never written
    let keyPath: AnyKeyPath
  }
}
