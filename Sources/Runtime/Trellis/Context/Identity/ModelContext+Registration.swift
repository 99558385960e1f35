extension ModelContext {
  /// The identity map of a model's entity.
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

  /// The object registered under an identifier.
  func registered(
    _ identifier: PersistentIdentifier, _ definition: ModelDefinition
  ) -> (any PersistentModel)? {
    if let last = state.lastTable, last.definition === definition { return last.table.model(identifier) }
    return tables[ObjectIdentifier(definition.root)]?.model(identifier)
  }

  /// The model of an identifier: registered, or read from its store; nil when there is no such row.
  ///
  /// - Parameter origin: what leads to the model, to be named when it cannot be read.
  func resolve(
    _ identifier: PersistentIdentifier, _ definition: ModelDefinition,
    from origin: (owner: any PersistentModel, relation: Relation)? = nil
  ) -> (any PersistentModel)? {
    do {
      let model = try storedModel(identifier, definition)
      if let origin { noteRead(of: origin.owner, [origin.relation.property.name]) }
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

  /// The models with the given identifiers. Those that are not in memory are read with one query.
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

  /// The model with an identifier, registered or read from the store; nil if there is no row.
  func storedModel(
    _ identifier: PersistentIdentifier, _ definition: ModelDefinition
  ) throws -> (any PersistentModel)? {
    if let model = inMemory(identifier, definition) { return model }
    guard !identifier.isTemporary else { return nil }
    return try objects([identifier], definition).first.map(definition.root.codec.model(from:))
  }
}

// MARK: missing columns

/// Reads what a fetch has left out.
extension ModelContext {
  /// Reads the missing columns of a model if the property is one of them, and those of its
  /// neighbours: one question to the store for all of a fetch, up to a thousand models.
  func complete(_ model: any PersistentModel, toRead slot: Int) {
    guard model._$state.side?.missing?.slots.contains(slot) == true else { return }
    complete(model)
  }

  /// Reads the missing columns of a model, if there are any; false when that is not possible.
  @discardableResult func complete(_ model: any PersistentModel) -> Bool {
    guard let missing = model._$state.side?.missing else { return true }
    guard let owner = model._$state.table else { return false }
    do {
      try owner._withUnsafeGuaranteedRef { table in
        do {
          try complete([model] + incompleteNeighbours(of: model, table), table)
        } catch {
          // One of the neighbours cannot be read.
          try complete([model], table)
        }
      }
    } catch {
      noteFailedRead(of: model, missing, error)
    }
    if model._$state.side?.missing == nil { noteRead(of: model, missing.names(in: type(of: model)._$definition)) }
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

/// Rows that a save deletes without objects, see ``ModelContext/deleteRows(_:)``.
extension ModelContext {
  /// Makes pending deletions of rows ordinary ones, before something asks for models.
  ///
  /// - Throws: The store's error. The rows are still pending then.
  func loadPendingRows() throws {
    // The save itself reads rows beside the deleted ones.
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

  /// Drops rows that another context has deleted.
  func forgetPendingRows(_ deleted: Set<PersistentIdentifier>) {
    for index in pending.rows.indices {
      let token = pending.rows[index].token
      pending.rows[index].keys.removeAll { deleted.contains(PersistentIdentifier(token: token, row: $0)) }
    }
    pending.rows.removeAll { $0.keys.isEmpty }
  }
}

// MARK: isolation

// Autosave must come back to where the context is used. A call that is isolated to an actor proves where
// that is: from then on the compiler keeps the context there.

extension ModelContext {
  /// Notes where the context is used.
  @inline(__always) func noteUse(on actor: (any Actor)?) {
    if let actor, actor !== state.isolation { move(to: actor) }
  }

  @inline(never) func move(to actor: any Actor) {
    state.isolation = actor
    guard let autosave = autosave else { return }
    autosave.rest()
    if hasChanges { autosave.noteChange() }
  }

  /// ``fetch(_:isolation:)`` as SwiftData declares it, for function references and protocols.
  ///
  /// - Throws: as ``fetch(_:isolation:)``.
  @_disfavoredOverload
  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    try fetch(descriptor, isolation: nil)
  }

  /// ``insert(_:isolation:)`` as SwiftData declares it, for function references and protocols.
  @_disfavoredOverload
  public func insert<T: PersistentModel>(_ model: T) { adopt(model) }

  /// ``model(for:isolation:)`` as SwiftData declares it, for function references and protocols.
  @_disfavoredOverload
  public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    model(for: persistentModelID, isolation: nil)
  }
}

// MARK: lifetime

extension ModelContext {
  /// The context when it is given to the program, which retains models with pending changes from now on.
  var givenToProgram: ModelContext {
    guard !state.isHeld else { return self }
    state.isHeld = true
    state.keptByModels = nil
    pending.hold()
    for (_, _, list) in pending.heldLists(where: core.listCycles.mayClose) { list.wake() }
    return self
  }

  /// Lets go of a model whose deletion is final.
  func dismiss(_ model: any PersistentModel) {
    probe.hasUnusableModels = true
    let side = model.side
    side.links = ModelLinks()
    side.phase = .gone
    side.isDeleted = true
    side.committed = nil
    model._$state.table?._withUnsafeGuaranteedRef { $0.detach(model) }
  }

  /// Called when a registered model is released while the program holds no context: its changes are lost.
  func modelIsReleased(_ phase: TrackedState.Phase, _ identifier: PersistentIdentifier) {
    if pending.modelIsReleased(phase, identifier) { ModelIssue.unsavedChanges(count: 1).report() }
    modelHasLeft()
  }

  /// Called when a model leaves the context, which may be the last one that needs the state.
  func modelHasLeft() {
    if state.keptByModels != nil, tables.values.allSatisfy({ $0.count == 0 }) { state.keptByModels = nil }
  }
}
