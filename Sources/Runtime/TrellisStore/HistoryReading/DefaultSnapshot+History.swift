/// What stores of one's own need to keep a history.
extension DefaultSnapshot {
  /// The class of the model; nil where the program does not have it. Not in SwiftData.
  ///
  /// A change names the class by its type:
  ///
  ///     func insertion<M: PersistentModel>(_: M.Type) -> HistoryChange {
  ///       .insert(MyInsert<M>(changedPersistentIdentifier: identifier, …))
  ///     }
  ///     if let type = snapshot.modelType { changes.append(insertion(type)) }
  public var modelType: (any PersistentModel.Type)? { buffer.definition?.modelType }

  /// The properties whose values a save has changed, as a ``HistoryUpdate`` contains them. Empty if only
  /// relationships of other models have changed. Not in SwiftData.
  ///
  ///     updatedAttributes: snapshot.changedKeyPaths(of: Trip.self, since: rows[identifier])
  ///
  /// - Parameters:
  ///   - type: the class of the model, or one that it inherits from.
  ///   - former: the values before the save, as the store has them. Without them the result is what the
  ///     context recorded; for a model that replaced a stored one that is every property.
  /// - Returns: the properties in the order of declaration, with to-many relationships that have no to-one
  ///   inverse. Empty if the snapshot is of another model.
  public func changedKeyPaths<Model: PersistentModel>(
    of type: Model.Type, since former: DefaultSnapshot? = nil
  ) -> [any PartialKeyPath<Model> & Sendable] {
    guard let definition = buffer.definition, definition.modelType is Model.Type else { return [] }
    let own = resolved()
    let columns = own.changedColumns(since: former, definition)
    return definition.layout.properties.compactMap { property in
      guard property.slot >= 0 else { return nil }
      let isChanged =
        property.kind.isToMany
        ? own.tellsOf(property, since: former, definition) : columns.contains(property.slot)
      guard isChanged else { return nil }
      return Schema.keyPath(named: property.name, of: Model.self)
    }
  }

  private func changedColumns(since former: DefaultSnapshot?, _ definition: ModelDefinition) -> PropertySet {
    let all = changed ?? PropertySet(definition.layout.columns.indices)
    guard let former, former.buffer.definition === definition else { return differing ?? all }
    return (try? buffer.differing(index, from: former.buffer, former.index)) ?? all
  }

  private func tellsOf(
    _ list: ModelProperty, since former: DefaultSnapshot?, _ definition: ModelDefinition
  ) -> Bool {
    let relation = definition.relations.toMany.first { $0.property.slot == list.slot }
    // Its members' own relationships say as much.
    if list.relationship?.isOrdered != true, let inverse = relation?.inverse, !inverse.kind.isToMany { return false }
    guard changedLists?.contains(list.slot) ?? true else { return false }
    let before = former.flatMap { $0.buffer.references($0.index, list.slot) }
    return hasOtherMembers(list, than: before ?? formerMembers(list.slot))
  }
}

extension Schema {
  /// The key path of a stored property, for a history that keeps the names of changed attributes. Not in SwiftData.
  ///
  ///     updatedAttributes: names.compactMap { Schema.keyPath(named: $0, of: Trip.self) }
  ///
  /// ``propertyNames(along:)`` returns the name.
  ///
  /// - Returns: Nil if the model has no stored property with the name.
  public static func keyPath<Model: PersistentModel>(
    named name: String, of type: Model.Type
  ) -> (any PartialKeyPath<Model> & Sendable)? {
    Model._$definition.layout.property(named: name)?.path(of: Model.self)
  }
}

extension HistoryTombstone {
  /// What is left of a deleted model: the values of its `preserveValueOnDeletion` attributes. Not in SwiftData.
  ///
  ///     for snapshot in request.deleted { … HistoryTombstone<Trip>(snapshot) … }
  ///
  /// Empty when the snapshot is of another model.
  public init(_ snapshot: DefaultSnapshot) {
    guard let definition = snapshot.buffer.definition, definition.modelType is Model.Type else {
      self.init([])
      return
    }
    self.init(
      definition.layout.columns.compactMap { property in
        guard property.attribute?.options.contains(.preserveValueOnDeletion) == true,
          let path = Schema.keyPath(named: property.name, of: Model.self),
          let value = snapshot.value(named: property.name)
        else { return nil }
        return (keyPath: path, value: value)
      })
  }
}
