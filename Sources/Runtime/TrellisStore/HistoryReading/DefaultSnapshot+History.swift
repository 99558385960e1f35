/// Support for history in custom stores.
extension DefaultSnapshot {
  /// The model's class; `nil` if the app does not declare it. Not in SwiftData.
  ///
  /// A history change takes the class as the generic argument:
  ///
  /// ```swift
  /// struct MemoryInsert<Model: PersistentModel>: HistoryInsert {
  ///   let changeIdentifier: Int
  ///   let changedPersistentIdentifier: PersistentIdentifier
  ///   let transactionIdentifier: Int
  /// }
  ///
  /// func insertion(_ snapshot: DefaultSnapshot, number: Int) -> HistoryChange? {
  ///   func insertion<M: PersistentModel>(_: M.Type) -> HistoryChange {
  ///     .insert(
  ///       MemoryInsert<M>(
  ///         changeIdentifier: number, changedPersistentIdentifier: snapshot.persistentIdentifier,
  ///         transactionIdentifier: number))
  ///   }
  ///   return snapshot.modelType.map { insertion($0) }
  /// }
  /// ```
  public var modelType: (any PersistentModel.Type)? { buffer.definition?.modelType }

  /// Returns the properties that a save changed, in the form a ``HistoryUpdate`` contains. Not in SwiftData.
  ///
  /// The result is empty if only other models' relationships have changed.
  ///
  /// ```swift
  /// extension MemoryStore {
  ///   func changedNames(in snapshot: DefaultSnapshot) -> [String] {
  ///     func names<M: PersistentModel>(_: M.Type) -> [String] {
  ///       snapshot.changedKeyPaths(of: M.self, since: rows[snapshot.persistentIdentifier])
  ///         .compactMap { Schema.propertyNames(along: $0)?.first }
  ///     }
  ///     return snapshot.modelType.map { names($0) } ?? []
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The model's class or a superclass.
  ///   - former: The stored values before the save. If this is `nil`, the result contains the changes that the context
  ///     recorded: every property if the model replaced a stored model.
  /// - Returns: The properties in declaration order, including to-many relationships that have no to-one inverse.
  ///   Empty if the snapshot belongs to a different model.
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
        ? own.describes(property, since: former, definition) : columns.contains(property.slot)
      guard isChanged else { return nil }
      return Schema.keyPath(named: property.name, of: Model.self)
    }
  }

  private func changedColumns(since former: DefaultSnapshot?, _ definition: ModelDefinition) -> PropertySet {
    let all = changed ?? PropertySet(definition.layout.columns.indices)
    guard let former, former.buffer.definition === definition else { return differing ?? all }
    return (try? buffer.differing(index, from: former.buffer, former.index)) ?? all
  }

  private func describes(
    _ list: ModelProperty, since former: DefaultSnapshot?, _ definition: ModelDefinition
  ) -> Bool {
    let relation = definition.relations.toMany.first { $0.property.slot == list.slot }
    // The members' own changes already describe this list.
    if list.relationship?.isOrdered != true, let inverse = relation?.inverse, !inverse.kind.isToMany { return false }
    guard changedLists?.contains(list.slot) ?? true else { return false }
    let before = former.flatMap { $0.buffer.references($0.index, list.slot) }
    return hasOtherMembers(list, than: before ?? formerMembers(list.slot))
  }
}

extension Schema {
  /// Returns the key path for a stored property. Not in SwiftData.
  ///
  /// Use it in a custom history that stores the names of changed attributes:
  ///
  /// ```swift
  /// let names = ["name", "startDate"]
  /// let updatedAttributes = names.compactMap { Schema.keyPath(named: $0, of: Trip.self) }
  /// // [\Trip.name, \Trip.startDate]
  /// ```
  ///
  /// ``propertyNames(along:)`` returns the name for a key path.
  ///
  /// - Parameters:
  ///   - name: The property's Swift name.
  ///   - type: The model.
  /// - Returns: `nil` if the model has no stored property with this name.
  public static func keyPath<Model: PersistentModel>(
    named name: String, of type: Model.Type
  ) -> (any PartialKeyPath<Model> & Sendable)? {
    Model._$definition.layout.property(named: name)?.path(of: Model.self)
  }
}

extension HistoryTombstone {
  /// Creates a tombstone with a deleted model's `preserveValueOnDeletion` attributes. Not in SwiftData.
  ///
  /// ```swift
  /// func tombstones(of request: DataStoreSaveChangesRequest<DefaultSnapshot>) -> [HistoryTombstone<Trip>] {
  ///   request.deleted.filter { $0.modelType == Trip.self }.map { HistoryTombstone<Trip>($0) }
  /// }
  /// ```
  ///
  /// The tombstone is empty if the snapshot belongs to a different model.
  ///
  /// - Parameter snapshot: A deleted snapshot of a save request.
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
