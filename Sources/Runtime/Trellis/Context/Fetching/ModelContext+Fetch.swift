import Foundation

extension ModelContext {
  /// The models that match a descriptor; empty when none does.
  ///
  /// Pending insertions, changes and deletions count unless the descriptor says otherwise. What the
  /// store cannot filter or sort is filtered and sorted here, with the same result.
  ///
  ///     let oslo = try context.fetch(
  ///       FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == "Oslo" }))
  ///     // SELECT … FROM "Trip" WHERE "destination" IS ? ORDER BY "id"
  ///
  /// - Parameters:
  ///   - descriptor: which models, in which order.
  ///   - isolation: where the context is used, for ``autosaveEnabled``. Not in SwiftData.
  /// - Throws: ``SwiftDataError`` when the entity is unknown, what the store throws, and what the
  ///   predicate itself throws for a model.
  public func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, isolation: isolated (any Actor)? = #isolation
  ) throws -> [T] {
    noteUse(on: isolation)
    return try querying(.fetch, tracedAs: .fetch) { try FetchPass(context: self, descriptor: descriptor).models() }
  }

  /// The number of models that ``fetch(_:)`` returns. The store counts if it can, without creating models.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    try querying(.count, tracedAs: .count) { try FetchPass(context: self, descriptor: descriptor).count() }
  }

  /// The identifiers of the models ``fetch(_:)`` would return; none is made where the store can tell.
  ///
  /// Models that wait to be inserted are among them with their temporary identifiers.
  ///
  /// Departing from SwiftData, which refuses to (`sortingPendingChangesWithIdentifiers`), they are
  /// sorted by pending values, too.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier] {
    try identifiers(descriptor).found
  }

  /// The model with an identifier; nil if it was deleted or has a different type. Not in SwiftData.
  ///
  /// Reads new commits first, and the row if the model is not registered. Use this for identifiers of models that may have
  /// been deleted, for example from the history:
  ///
  ///     guard let trip = try context.existingModel(for: id, as: Trip.self) else { return }
  ///
  /// - Parameters:
  ///   - persistentModelID: the identifier. One from before the model's first save finds the model, too, if this context
  ///     has saved it.
  ///   - type: the model's type.
  ///   - isolation: where the context is used, for ``autosaveEnabled``.
  /// - Throws: As ``fetch(_:isolation:)``.
  public func existingModel<T: PersistentModel>(
    for persistentModelID: PersistentIdentifier, as type: T.Type = T.self,
    isolation: isolated (any Actor)? = #isolation
  ) throws -> T? {
    noteUse(on: isolation)
    return try querying(.lookup) {
      let identifier = current(persistentModelID)
      guard let definition = core.entity(formerly: identifier.entityName)?.definition,
        let model = try storedModel(identifier, definition) as? T, model._$state.side?.isDeleted != true
      else { return nil }
      return model
    }
  }

  private func identifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> (pass: FetchPass<T>, found: [PersistentIdentifier]) {
    try querying(.fetch, tracedAs: .fetch) {
      let pass = try FetchPass(context: self, descriptor: descriptor)
      return (pass, try pass.identifiers())
    }
  }

  /// Runs a query as the only thread inside, with models that have the values of new commits.
  ///
  /// If the query itself meets the commits of others, it runs again after they are read.
  ///
  /// - Throws: ``SwiftDataError/contextInUse``, the error of the query, and that of a value that could not be read: a query
  ///   in memory would take it for nil.
  func querying<Result>(
    _ operation: ContextOccupancy.Operation, tracedAs purpose: TracedStatement.Purpose? = nil,
    _ body: () throws -> Result
  ) throws -> Result {
    try occupancy.occupy(operation) {
      if let monitor = core.onlyMonitor, monitor.hasMetCommits == false, !pending.hasChanges {
        // The read itself meets new commits, which saves the transaction of a look.
        try readMailbox(looks: false)
        state.hasAskedStore = false
        do {
          let answer = try answerQuery(purpose, body)
          if state.hasAskedStore, monitor.hasMetCommits == false { return answer }
          core.readExternalCommits()
          if mailbox.isQuiet { return answer }
        } catch {
          core.readExternalCommits()
          if mailbox.isQuiet { throw error }
        }
      }
      try readMailbox()
      try loadPendingRows()
      return try answerQuery(purpose, body)
    }
  }

  private func answerQuery<Result>(_ purpose: TracedStatement.Purpose?, _ body: () throws -> Result) throws -> Result {
    try refusingUnreadValues {
      guard let purpose else { return try body() }
      return try TracedStatement.scope(purpose, body)
    }
  }
}

// MARK: batches

extension ModelContext {
  /// The models that match a descriptor, loaded in batches as they are reached.
  ///
  /// The identifiers of all matches are read at once; they determine the number and the order of the elements. The models
  /// of a batch are read when the first of them is used, and released when four other batches have been used, unless the
  /// program holds them.
  ///
  ///     for trip in try context.fetch(FetchDescriptor<Trip>(), batchSize: 500) {
  ///       print(trip.name)
  ///     }
  ///
  /// An element whose row was deleted since, by whomever, is an object that counts as deleted
  /// (`isDeleted`) and has its identifier; it shows zero values unless it is still registered. An
  /// element whose row cannot be read is such an object, too, but does not count as deleted: it takes
  /// no writes, ``ModelIssue/unreadableModels(_:count:reason:)`` tells why, and ``fetch(_:)`` and
  /// ``enumerate(_:batchSize:allowEscapingMutations:block:)`` throw it.
  ///
  /// Departing from SwiftData, which refuses to (`includePendingChangesWithBatchSize`), the result
  /// includes pending changes as ``fetch(_:)`` does. Inserted models are held until the collection
  /// goes away; where sorting or the predicate take more than the store, the matches are loaded once
  /// to find their order.
  ///
  /// - Parameters:
  ///   - descriptor: which models, in which order.
  ///   - batchSize: how many models to read at a time; 0 or less reads all of them in one batch.
  /// - Throws: as ``fetch(_:)``.
  public func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<T> {
    let (pass, identifiers) = try identifiers(descriptor)
    let inserted = pass.inserted(among: identifiers)
    return FetchResultsCollection(count: identifiers.count, batchSize: batchSize) { range in
      pass.elements(identifiers[range], besides: inserted)
    }
  }

  /// The identifiers of the models that match a descriptor, as a collection.
  ///
  /// - Parameters:
  ///   - descriptor: which models, in which order.
  ///   - batchSize: how many elements make up a batch. An identifier is sixteen bytes, so all of them
  ///     are kept.
  /// - Throws: as ``fetchIdentifiers(_:)``.
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<PersistentIdentifier> {
    let identifiers = try fetchIdentifiers(descriptor)
    return FetchResultsCollection(count: identifiers.count, batchSize: batchSize) { Array(identifiers[$0]) }
  }
}

/// Fetches in batches.
extension FetchPass {
  /// The inserted models among the matches: a save gives them other identifiers.
  func inserted(among identifiers: [PersistentIdentifier]) -> [PersistentIdentifier: T] {
    let inserted = identifiers.lazy.filter(\.isTemporary).compactMap { identifier in
      (table.model(identifier) as? T).map { (identifier, $0) }
    }
    return Dictionary(inserted, uniquingKeysWith: { first, _ in first })
  }

  /// The models of some matches; nil where the row is gone.
  func loadBatch(
    _ identifiers: ArraySlice<PersistentIdentifier>, besides inserted: [PersistentIdentifier: T]
  ) throws -> [T?] {
    let found = try TracedStatement.scope(.fetch) { try context.models(of: identifiers, T._$definition) }
    if table.hasRelationships { table.remember(FaultBatch(.list(Array(identifiers)))) }
    let models = identifiers.map { found[$0] as? T ?? inserted[$0] }
    if query.hasPrefetch {
      try Prefetch(query.descriptor, context).run(models.compactMap { $0 }.filter(\.isUsableTarget))
    }
    return models
  }

  /// The models of some matches; a placeholder where the row is gone or cannot be read.
  func elements(
    _ identifiers: ArraySlice<PersistentIdentifier>, besides inserted: [PersistentIdentifier: T]
  ) -> [T] {
    let models: [T?]
    do {
      models = try loadBatch(identifiers, besides: inserted)
    } catch {
      // One row that cannot be read does not take the others of its batch along.
      var unreadable: [PersistentIdentifier] = []
      models = identifiers.indices.map { index in
        let identifier = identifiers[index]
        do {
          return try loadBatch(identifiers[index...index], besides: inserted)[0]
        } catch {
          unreadable.append(identifier)
          return table.model(identifier) as? T ?? inserted[identifier]
            ?? T._$definition.codec.unreadable(identifier) as? T
        }
      }
      if let first = unreadable.first {
        ModelIssue.unreadableModels(first, count: unreadable.count, reason: "\(error)").report()
      }
    }
    return zip(identifiers, models).map { identifier, model in
      model ?? T._$definition.codec.deleted(identifier, as: T.self)
    }
  }
}

extension ModelCodec {
  /// An object that stands for a row that is gone.
  func deleted<M: PersistentModel>(_ identifier: PersistentIdentifier, as type: M.Type) -> M {
    let model = placeholder(identifier, as: type)
    model.side.becomePlaceholder()
    return model
  }

  /// An object that stands for a row that is gone.
  func deleted(_ identifier: PersistentIdentifier) -> any PersistentModel {
    let model = makePlaceholder(identifier)
    model.side.becomePlaceholder()
    return model
  }

  /// An object that stands for a row that cannot be read.
  func unreadable(_ identifier: PersistentIdentifier) -> any PersistentModel {
    let model = makePlaceholder(identifier)
    model.side.isUnreadable = true
    return model
  }
}

extension ModelContext {
  /// Calls a block for every model that matches a descriptor, in its order, batch after batch.
  ///
  /// The matches are determined at the start: a model that no longer matches because of an earlier call is visited, one
  /// that starts to match is not, and one that was deleted meanwhile is omitted. Between batches the context releases the
  /// models that the program does not hold, so memory grows only by sixteen bytes per match.
  ///
  ///     try context.enumerate(FetchDescriptor<Trip>(), batchSize: 1000) { trip in
  ///       try out.write(trip)
  ///     }
  ///
  /// Models with changes are held until they are saved. Therefore the context must have none, and
  /// the block must have saved its own when a batch ends, unless `allowEscapingMutations` is true.
  ///
  /// - Parameters:
  ///   - fetch: which models, in which order.
  ///   - batchSize: how many models to read at a time; 0 or less reads all of them in one batch.
  ///   - allowEscapingMutations: whether the context may have pending changes at the start and the
  ///     block may leave some, which then wait for the next save.
  ///   - block: called with each model.
  /// - Throws: ``SwiftDataError/includePendingChangesWithBatchSize`` when there are pending changes
  ///   that are not allowed; they stay as they are. What the block throws. Otherwise as ``fetch(_:)``.
  public func enumerate<T: PersistentModel>(
    _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
    block: (T) throws -> Void
  ) throws {
    func check(_ when: String) throws {
      guard hasChanges, !allowEscapingMutations else { return }
      throw SwiftDataError.includePendingChangesWithBatchSize.explained(
        "the context has changes that are not saved \(when) 'enumerate': save them, or pass "
          + "'allowEscapingMutations: true' and have them held in memory until the next save")
    }
    try check("before")
    let (pass, identifiers) = try identifiers(fetch)
    let size = batchSize > 0 ? batchSize : max(1, identifiers.count)
    let inserted = pass.inserted(among: identifiers)
    var rest = identifiers[...]
    while !rest.isEmpty {
      // In a separate function, so that nothing of a batch is held when the next one is read.
      try visit(rest.prefix(size), inserted, pass, block)
      rest = rest.dropFirst(size)
      try check("after a batch of")
    }
  }

  private func visit<T: PersistentModel>(
    _ identifiers: ArraySlice<PersistentIdentifier>, _ inserted: [PersistentIdentifier: T],
    _ pass: FetchPass<T>, _ block: (T) throws -> Void
  ) throws {
    for case let model? in try pass.loadBatch(identifiers, besides: inserted)
    where model.isUsableTarget {
      try block(model)
    }
  }
}

// MARK: deletions

/// Deletions by a predicate: the next save deletes unregistered rows, and no objects are made.
extension ModelContext {
  /// Enters a query's matches into the pending deletions, as rows.
  ///
  /// - Returns: The registered matches, which the caller deletes. Nil if the matches have to become objects: the context has
  ///   further changes, an undo manager or observers, or the class is part of a hierarchy.
  func deleteRows<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T]? {
    let definition = T._$definition
    let entity = core.schema.entitiesByName[definition.entityName]
    guard pending.hasOnlyRows, undo == nil, watchers == nil, entity?.root.hierarchy.count == 1
    else { return nil }
    let pass = try FetchPass(context: self, descriptor: descriptor, includesCascade: true)
    guard pass.table.store.isRelational, pending.rows.isEmpty || !pass.query.crossesRelationships(hasDeletions: true)
    else { return nil }
    let known = Set(pending.rows.lazy.filter { $0.definition === definition }.flatMap(\.keys))
    var keys: [Int64] = []
    var registered: [T] = []
    for identifier in try pass.identifiers() {
      if let model = pass.table.model(identifier) as? T {
        registered.append(model)
      } else if let key = identifier.row, !known.contains(key) {
        keys.append(key)
      }
    }
    if !keys.isEmpty {
      pending.rows.append(DeletedRows.Group(definition: definition, token: pass.table.token, path: nil, keys: keys))
      autosave?.noteChange()
      // Rows that were read ahead would become objects without a question to the store.
      state.ahead.removeAll()
    }
    return registered
  }
}
