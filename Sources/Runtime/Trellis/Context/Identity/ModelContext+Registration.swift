extension ModelContext {
  /// Returns the identity map for a model's entity.
  func table(for definition: ModelDefinition) throws -> IdentityTable {
    if let last = state.lastTable, last.definition === definition { return last.table }
    let root = definition.root
    if let table = tables[ObjectIdentifier(root)] {
      state.lastTable = (definition, table)
      return table
    }
    let store = try core.store(of: definition)
    let table = IdentityTable(context: self, store: store, definition: root)
    state.tables[ObjectIdentifier(root)] = table
    return table
  }

  /// Returns the registered object with an identifier.
  func registered(
    _ identifier: PersistentIdentifier, _ definition: ModelDefinition
  ) -> (any PersistentModel)? {
    if let last = state.lastTable, last.definition === definition { return last.table.model(identifier) }
    return tables[ObjectIdentifier(definition.root)]?.model(identifier)
  }

  /// Returns the registered model with an identifier, or reads it from the store. Returns `nil` if the row is missing.
  ///
  /// - Parameter origin: The relationship to report if the model is unreadable.
  func resolve(
    _ identifier: PersistentIdentifier, _ definition: ModelDefinition,
    from origin: (owner: any PersistentModel, relation: Relation)? = nil
  ) -> (any PersistentModel)? {
    do {
      let model = try storedModel(identifier, definition)
      if let origin { recordRead(of: origin.owner, [origin.relation.property.name]) }
      return model
    } catch {
      if let origin {
        recordFailedRead(of: origin.owner._$identifier, origin.relation.property.name, error)
      } else {
        ModelIssue.unreadableModels(identifier, count: 1, reason: "\(error)").report()
      }
      return nil
    }
  }

  /// Returns the models with the given identifiers, reading unregistered models from the store.
  func load(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition
  ) throws -> [any PersistentModel] {
    guard !identifiers.isEmpty else { return [] }
    return try objects(identifiers, definition).map(definition.root.codec.model(from:))
  }

  private func objects(_ identifiers: [PersistentIdentifier], _ definition: ModelDefinition) throws -> [AnyObject] {
    try loadPendingRows()
    let table = try table(for: definition)
    let materializer = ModelMaterializer(table: table)
    try core.withScope(reading: table.store) {
      try materializer.read(identifiers, definition, editingState)
    }
    return materializer.models
  }

  /// Returns the models with the given identifiers. Models that are not in memory are read with a single query.
  func models(
    of identifiers: some Sequence<PersistentIdentifier>, _ definition: ModelDefinition
  ) throws -> [PersistentIdentifier: any PersistentModel] {
    var found: [PersistentIdentifier: any PersistentModel] = [:]
    var missing: [PersistentIdentifier] = []
    for identifier in identifiers {
      if let model = inMemory(identifier, definition) {
        found[identifier] = model
      } else if !identifier.isTemporary {
        missing.append(identifier)
      }
    }
    for model in try load(missing, definition) { found[model._$identifier] = model }
    return found
  }

  /// Returns the model registered with an identifier, or `nil` if it is not registered or has a different type.
  ///
  /// Does not query the store. Use a fetch for models that may not have been read.
  ///
  /// ```swift
  /// let id = trip.persistentModelID
  /// if let trip: Trip = context.registeredModel(for: id) {
  ///   print("\(trip.name) is in memory")
  /// }
  /// ```
  ///
  /// - Parameter persistentModelID: The identifier. A temporary identifier is valid if this context has inserted the
  ///   model.
  public func registeredModel<T: PersistentModel>(for persistentModelID: PersistentIdentifier) -> T? {
    occupancy.inspect(.lookup, persistentModelID) {
      registered(current(persistentModelID), T._$definition) as? T
    }
  }

  /// Returns the model with an identifier, or a placeholder that has only the identifier.
  ///
  /// ```swift
  /// let id = trip.persistentModelID
  /// if let trip = context.model(for: id) as? Trip, !trip.isDeleted {
  ///   print(trip.name)
  /// }
  /// ```
  ///
  /// If the model is not registered, the row is read. A temporary identifier is valid if this context has saved the
  /// model. A placeholder belongs to no context, shows zero values and cannot be inserted. Its `isDeleted` is true
  /// unless the row exists but is unreadable. In that case the placeholder rejects writes, and a fetch throws the read
  /// error. To receive `nil` instead, call ``existingModel(for:as:isolation:)``.
  ///
  /// - Parameters:
  ///   - persistentModelID: The identifier.
  ///   - isolation: The isolation in which the context is used, for ``autosaveEnabled``. Not in SwiftData.
  public func model(
    for persistentModelID: PersistentIdentifier, isolation: isolated (any Actor)? = #isolation
  ) -> any PersistentModel {
    recordUse(on: isolation)
    return occupancy.inspect(.lookup, persistentModelID) { model(at: persistentModelID) }
  }

  private func model(at persistentModelID: PersistentIdentifier) -> any PersistentModel {
    // Most calls request the same entity as the previous call.
    let last = state.lastTable?.table
    let table = last?.token == persistentModelID.token ? last : nil
    if let model = table?.model(persistentModelID) { return model }
    let identifier = current(persistentModelID)
    guard let definition = table?.definition ?? core.entity(formerly: identifier.entityName)?.definition else {
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

  /// Returns the model with an identifier, registered or read from the store, or `nil` if the row is missing.
  func storedModel(
    _ identifier: PersistentIdentifier, _ definition: ModelDefinition
  ) throws -> (any PersistentModel)? {
    if let model = inMemory(identifier, definition) { return model }
    guard !identifier.isTemporary else { return nil }
    return try objects([identifier], definition).first.map(definition.root.codec.model(from:))
  }
}

// MARK: missing columns

/// Completion of partially fetched models.
extension ModelContext {
  /// If the property is missing, reads the missing columns of the model and its neighbors. A single query covers up to
  /// 1,024 neighbors from the same fetch.
  func complete(_ model: any PersistentModel, toRead slot: Int) {
    guard model._$state.side?.missing?.slots.contains(slot) == true else { return }
    complete(model)
  }

  /// Reads a model's missing columns. Returns false if this is impossible.
  @discardableResult func complete(_ model: any PersistentModel) -> Bool {
    guard let missing = model._$state.side?.missing else { return true }
    guard let owner = model._$state.table else { return false }
    do {
      try owner._withUnsafeGuaranteedRef { table in
        do {
          try complete([model] + incompleteNeighbours(of: model, table), table)
        } catch {
          // A neighbor may be unreadable.
          try complete([model], table)
        }
      }
    } catch {
      recordFailedRead(of: model, missing, error)
    }
    if model._$state.side?.missing == nil { recordRead(of: model, missing.names(in: type(of: model)._$definition)) }
    return model._$state.side?.missing == nil
  }

  private func incompleteNeighbours(
    of model: any PersistentModel, _ table: IdentityTable
  ) -> [any PersistentModel] {
    let limit = 1_024
    var found: [any PersistentModel] = []
    let definition = type(of: model)._$definition
    table.group(of: model._$identifier)?.visitNeighbours(
      of: model._$identifier, reach: 4 * limit
    ) { identifier in
      if let other = table.model(identifier), other._$state.side?.missing != nil,
        type(of: other)._$definition === definition
      {
        found.append(other)
      }
      return found.count < limit
    }
    return found
  }

  private func complete(_ models: [any PersistentModel], _ table: IdentityTable) throws {
    guard let first = models.first else { return }
    let definition = type(of: first)._$definition
    let rows = definition.codec.makeBuffer(capacity: models.count)
    try core.withScope {
      try table.store.read(models.map(\.persistentModelID), definition, editingState, into: rows)
    }
    for index in 0..<rows.count {
      guard let model = table.model(rows.identifier(index)), model.phase == .clean,
        model._$state.side?.missing != nil
      else { continue }
      rows.restore(index, model)
      model._$state.side?.missing = nil
    }
  }
}

// MARK: deleted rows

/// Rows that a save deletes without creating objects, see ``ModelContext/deleteRows(_:)``.
extension ModelContext {
  /// Converts pending row deletions to model deletions, before models are accessed.
  ///
  /// - Throws: The store's error. The rows remain pending.
  func loadPendingRows() throws {
    // The save itself reads rows related to the deleted rows.
    guard !pending.rows.isEmpty, state.deletedRows == nil, !state.isInStore else { return }
    let rows = pending.rows
    pending.rows = []
    do {
      let models = try rows.map { try load($0.identifiers, $0.definition) }
      for model in models.joined() { remove(model) }
    } catch {
      pending.rows = rows
      throw error
    }
  }

  /// Removes rows that a different context has deleted.
  func forgetPendingRows(_ deleted: Set<PersistentIdentifier>) {
    for index in pending.rows.indices {
      let token = pending.rows[index].token
      pending.rows[index].keys.removeAll { deleted.contains(PersistentIdentifier(token: token, row: $0)) }
    }
    pending.rows.removeAll { $0.keys.isEmpty }
  }
}

// MARK: isolation

// Autosave must run in the isolation in which the context is used. A call isolated to an actor proves that isolation,
// and the compiler keeps the context there.

extension ModelContext {
  /// Records the isolation in which the context is used.
  @inline(__always) func recordUse(on actor: (any Actor)?) {
    if let actor, actor !== state.isolation { move(to: actor) }
  }

  @inline(never) func move(to actor: any Actor) {
    state.isolation = actor
    guard let autosave = autosave else { return }
    autosave.cancel()
    if hasChanges { autosave.recordChange() }
  }

  /// Behaves like ``fetch(_:isolation:)`` but has SwiftData's signature, for function references and protocols.
  ///
  /// ```swift
  /// let read: (FetchDescriptor<Trip>) throws -> [Trip] = context.fetch
  /// ```
  ///
  /// - Throws: The same errors as ``fetch(_:isolation:)``.
  @_disfavoredOverload
  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    try fetch(descriptor, isolation: nil)
  }

  /// Behaves like ``insert(_:isolation:)`` but has SwiftData's signature, for function references and protocols.
  ///
  /// ```swift
  /// ["Museum", "Opera"].map { BucketListItem(title: $0) }.forEach(context.insert)
  /// ```
  @_disfavoredOverload
  public func insert<T: PersistentModel>(_ model: T) { adopt(model) }

  /// Behaves like ``model(for:isolation:)`` but has SwiftData's signature, for function references and protocols.
  ///
  /// ```swift
  /// let models = trips.map(\.persistentModelID).map(context.model(for:))
  /// ```
  @_disfavoredOverload
  public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    model(for: persistentModelID, isolation: nil)
  }
}

// MARK: lifetime

extension ModelContext {
  /// The context as returned to the app. From then on, it retains models with pending changes.
  var givenToApp: ModelContext {
    guard !state.isHeld else { return self }
    state.isHeld = true
    state.keptByModels = nil
    pending.retainModels()
    for (_, _, list) in pending.heldLists(where: core.listCycles.mayClose) { list.retainMembers() }
    return self
  }

  /// Unregisters a model whose deletion is final.
  func dismiss(_ model: any PersistentModel) {
    probe.hasUnusableModels = true
    let side = model.side
    side.links = ModelLinks()
    side.phase = .gone
    side.isDeleted = true
    side.committed = nil
    model._$state.table?._withUnsafeGuaranteedRef { $0.detach(model) }
  }

  /// Called when a registered model is released while the app holds no context. The model's changes are lost.
  func modelIsReleased(_ phase: TrackedState.Phase, _ identifier: PersistentIdentifier) {
    if pending.modelIsReleased(phase, identifier) { ModelIssue.unsavedChanges(count: 1).report() }
    modelHasLeft()
  }

  /// Called when a model leaves the context. The last model may release the state.
  func modelHasLeft() {
    if state.keptByModels != nil, tables.values.allSatisfy({ $0.count == 0 }) { state.keptByModels = nil }
  }
}
