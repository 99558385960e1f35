extension DefaultSnapshot {
  /// The value of an attribute; nil if the snapshot belongs to another model.
  public subscript<Model: PersistentModel, Value: DataStoreSnapshotValue>(
    keyPath: KeyPath<Model, Value>
  ) -> Value? {
    property(keyPath).flatMap { buffer.value(index, column: $0.slot) as? Value }
  }

  /// The value of an optional attribute; nil also if the snapshot belongs to another model.
  public subscript<Model: PersistentModel, Value: DataStoreSnapshotValue>(
    keyPath: KeyPath<Model, Value?>
  ) -> Value? {
    property(keyPath).flatMap { buffer.value(index, column: $0.slot) as? Value }
  }

  /// The identifier of the destination of an optional to-one relationship.
  public subscript<Model: PersistentModel, Other: PersistentModel>(
    keyPath: KeyPath<Model, Other?>
  ) -> PersistentIdentifier? {
    property(keyPath).flatMap { resolve(buffer.reference(index, $0.slot)) }
  }

  /// The identifier of the destination of a to-one relationship.
  public subscript<Model: PersistentModel, Other: PersistentModel>(
    keyPath: KeyPath<Model, Other>
  ) -> PersistentIdentifier? {
    property(keyPath).flatMap { resolve(buffer.reference(index, $0.slot)) }
  }

  /// The identifiers of the members of a to-many relationship; nil if they were not loaded.
  public subscript<Model: PersistentModel, Other: PersistentModel>(
    keyPath: KeyPath<Model, [Other]>
  ) -> [PersistentIdentifier]? {
    property(keyPath).flatMap { members($0.slot) }
  }

  /// The identifiers of the members of an optional to-many relationship; nil if they were not loaded.
  public subscript<Model: PersistentModel, Other: PersistentModel>(
    keyPath: KeyPath<Model, [Other]?>
  ) -> [PersistentIdentifier]? {
    property(keyPath).flatMap { members($0.slot) }
  }

  /// Returns the value of a stored property by its Swift name.
  ///
  /// - Returns: The value of an attribute, a ``PersistentIdentifier`` for a to-one relationship, or an array of
  ///   identifiers for a to-many relationship. Nil for a nil value, a relationship that was not loaded, and an unknown
  ///   name.
  public func value(named name: String) -> (any Sendable)? {
    guard let property = buffer.definition?.layout.property(named: name) else { return nil }
    switch property.kind {
    case .attribute: return buffer.value(index, column: property.slot)
    case .toOne: return resolve(buffer.reference(index, property.slot))
    case .toMany: return members(property.slot)
    }
  }

  /// The names that ``value(named:)`` accepts, in declaration order.
  public var propertyNames: [String] {
    buffer.definition?.layout.properties.filter { $0.slot >= 0 }.map(\.name) ?? []
  }

  /// Returns the property of the snapshot's model. The root of the key path can be a superclass.
  private func property<Model: PersistentModel>(
    _ keyPath: PartialKeyPath<Model>
  ) -> ModelProperty? {
    guard let definition = buffer.definition, definition.modelType is Model.Type else { return nil }
    let found =
      definition.layout.property(for: keyPath)
      ?? Model._$definition.layout.property(for: keyPath)
      .flatMap { definition.layout.property(named: $0.name) }
    return found.flatMap { $0.slot >= 0 ? $0 : nil }
  }

  private func members(_ slot: Int) -> [PersistentIdentifier]? {
    buffer.references(index, slot)?.map { remapping?.resolve($0) ?? $0 }
  }

  private func resolve(_ identifier: PersistentIdentifier?) -> PersistentIdentifier? {
    identifier.map { remapping?.resolve($0) ?? $0 }
  }
}
