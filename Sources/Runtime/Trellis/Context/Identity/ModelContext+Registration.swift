extension ModelContext {
  /// The identity map of a model's entity.
  func table(for definition: ModelDefinition) throws -> IdentityTable {
    if let lastTable, lastTable.definition === definition { return lastTable.table }
    let root = definition.root
    if let table = tables[ObjectIdentifier(root)] {
      lastTable = (definition, table)
      return table
    }
    let store = try core.store(of: definition)
    let table = IdentityTable(context: self, store: store, definition: root, probe: probe)
    table.loose = pending.loose
    tables[ObjectIdentifier(root)] = table
    return table
  }

  /// The object registered under an identifier.
  func registered(
    _ identifier: PersistentIdentifier, _ definition: ModelDefinition
  ) -> (any PersistentModel)? {
    tables[ObjectIdentifier(definition.root)]?.model(identifier)
  }

  /// The model of an identifier: registered, or read from its store; nil when there is no such row.
  ///
  /// - Parameter origin: what leads to the model, to be named when it cannot be read.
  func resolve(
    _ identifier: PersistentIdentifier, _ definition: ModelDefinition,
    from origin: (owner: any PersistentModel, relation: Relation)? = nil
  ) -> (any PersistentModel)? {
    if let model = inMemory(identifier, definition) { return model }
    guard !identifier.isTemporary else { return nil }
    do {
      let model = try load([identifier], definition).first
      if let origin { noteRead(of: origin.owner, origin.relation) }
      return model
    } catch {
      if let origin {
        noteFailedRead(of: origin.owner._$identifier, origin.relation.property.name, error)
      } else {
        ModelIssue.unreadableModels(identifier, count: 1, reason: "\(error)").report()
      }
      return nil
    }
  }

  /// The models of identifiers of one entity, read from the store where they are not registered.
  func load(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition
  ) throws -> [any PersistentModel] {
    guard !identifiers.isEmpty else { return [] }
    try loadPendingRows()
    let table = try table(for: definition)
    let materializer = ModelMaterializer(table: table)
    try core.withScope(reading: table.store) {
      try table.store.load(identifiers, definition, editingState, materializer)
    }
    return materializer.models.map(definition.root.codec.model(from:))
  }

  /// The typed model registered under an identifier, nil for any other one.
  ///
  /// Asks no store. Use a fetch for a model that may not have been read yet.
  public func registeredModel<T: PersistentModel>(for persistentModelID: PersistentIdentifier) -> T? {
    occupancy.inspect(.lookup, persistentModelID) {
      registered(current(persistentModelID), T._$definition) as? T
    }
  }

  /// The model of an identifier, or a placeholder that carries only the identifier.
  ///
  /// The row is read when the model is not registered. An identifier from before the model's first save finds the model,
  /// too, if this context has saved it. A placeholder belongs to no context, shows zero values and cannot be inserted.
  /// It counts as deleted, unless there is a row that cannot be read: then it refuses writes, and a fetch throws what is
  /// wrong. ``existingModel(for:as:isolation:)`` returns nil instead.
  ///
  /// - Parameters:
  ///   - persistentModelID: the identifier.
  ///   - isolation: where the context is used, for ``autosaveEnabled``. Not in SwiftData.
  public func model(
    for persistentModelID: PersistentIdentifier, isolation: isolated (any Actor)? = #isolation
  ) -> any PersistentModel {
    noteUse(on: isolation)
    return occupancy.inspect(.lookup, persistentModelID) { model(at: persistentModelID) }
  }

  private func model(at persistentModelID: PersistentIdentifier) -> any PersistentModel {
    // As a rule, the model is of the kind that was requested last.
    if let table = lastTable?.table, table.token == persistentModelID.token,
      let model = table.model(persistentModelID)
    {
      return model
    }
    let identifier = current(persistentModelID)
    guard let definition = core.entity(formerly: identifier.entityName)?.definition else {
      let placeholder = UnknownModel(identifier: identifier)
      placeholder.side.becomePlaceholder()
      return placeholder
    }
    do {
      return try storedModel(identifier, definition) ?? definition.codec.deleted(identifier)
    } catch {
      ModelIssue.unreadableModels(identifier, count: 1, reason: "\(error)").report()
      return definition.codec.unreadable(identifier)
    }
  }

  /// The model with an identifier, registered or read from the store; nil without a row.
  func storedModel(
    _ identifier: PersistentIdentifier, _ definition: ModelDefinition
  ) throws -> (any PersistentModel)? {
    if let model = inMemory(identifier, definition) { return model }
    return identifier.isTemporary ? nil : try load([identifier], definition).first
  }
}

extension ModelDefinition {
  /// The definition at the top of the inheritance chain.
  package var root: ModelDefinition {
    rootType == modelType ? self : rootType._$definition
  }
}
