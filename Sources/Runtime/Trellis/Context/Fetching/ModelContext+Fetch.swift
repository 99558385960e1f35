import Foundation

extension ModelContext {
  /// Fetches the models that match a descriptor.
  ///
  /// ```swift
  /// let oslo = try context.fetch(
  ///   FetchDescriptor<Trip>(
  ///     predicate: #Predicate { $0.destination == "Oslo" }, sortBy: [SortDescriptor(\.startDate)]))
  /// // SELECT … FROM "Trip" AS "t0" WHERE ("t0"."destination" = ?) ORDER BY "t0"."startDate", "t0"."id"
  /// ```
  ///
  /// Pending insertions, changes and deletions are included unless the descriptor excludes them. Parts of the
  /// predicate and sort order that the store does not support are evaluated in memory, with the same result;
  /// ``FetchDescriptor/explain(in:)`` shows which.
  ///
  /// - Parameters:
  ///   - descriptor: The predicate, sort order and limits.
  ///   - isolation: The isolation in which the context is used, for ``autosaveEnabled``. Not in SwiftData.
  /// - Returns: The matching models, registered in this context. Equally sorted models are ordered by identifier.
  /// - Throws: ``SwiftDataError/unknownSchema`` if the container lacks the model's class;
  ///   ``SwiftDataError/unsupportedKeyPath``; ``SwiftDataError/unsupportedPredicate``, for example if a computation
  ///   overflows; errors from the store and from the predicate's evaluation for a model.
  public func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, isolation: isolated (any Actor)? = #isolation
  ) throws -> [T] {
    recordUse(on: isolation)
    return try querying(.fetch, tracedAs: .fetch) { try FetchPass(context: self, descriptor: descriptor).models() }
  }

  /// Returns the number of models that ``fetch(_:)`` would return. The store counts the rows if possible, and no
  /// models are created.
  ///
  /// ```swift
  /// let count = try context.fetchCount(FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == "Oslo" }))
  /// // SELECT COUNT(*) FROM "Trip" AS "t0" WHERE ("t0"."destination" = ?)
  /// ```
  ///
  /// - Parameter descriptor: The predicate and limits. The sort order has no effect.
  /// - Throws: The same errors as ``fetch(_:)``.
  public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    try querying(.count, tracedAs: .count) { try FetchPass(context: self, descriptor: descriptor).count() }
  }

  /// Fetches the identifiers of matching models. Models are only created if the store cannot evaluate the fetch.
  ///
  /// Identifiers are `Sendable`, so a different task can load the models in a separate context:
  ///
  /// ```swift
  /// let ids = try context.fetchIdentifiers(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)]))
  /// Task {
  ///   let context = ModelContext(container)
  ///   let trips = try ids.compactMap { try context.existingModel(for: $0, as: Trip.self) }
  ///   print(trips.map(\.name))
  /// }
  /// ```
  ///
  /// Inserted models are included with temporary identifiers.
  ///
  /// Unlike SwiftData, which throws `sortingPendingChangesWithIdentifiers`, this function also sorts by pending values.
  ///
  /// - Parameter descriptor: The predicate, sort order and limits.
  /// - Returns: The identifiers, in order.
  /// - Throws: The same errors as ``fetch(_:)``.
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier] {
    try identifiers(descriptor).found
  }

  /// Returns the model with an identifier, or `nil` if it was deleted or has a different type. Not in SwiftData.
  ///
  /// Reads new commits first, and reads the row if the model is not registered. Use this function for identifiers of
  /// models that may have been deleted, such as identifiers from the history or from a different task:
  ///
  /// ```swift
  /// let id = trip.persistentModelID
  /// Task {
  ///   let context = ModelContext(container)
  ///   guard let trip = try context.existingModel(for: id, as: Trip.self) else { return }
  ///   trip.budget = 1_200
  ///   try context.save()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - persistentModelID: The identifier. A temporary identifier is valid if this context has saved the model.
  ///   - type: The model type.
  ///   - isolation: The isolation in which the context is used, for ``autosaveEnabled``.
  /// - Throws: The same errors as ``fetch(_:isolation:)``.
  public func existingModel<T: PersistentModel>(
    for persistentModelID: PersistentIdentifier, as type: T.Type = T.self,
    isolation: isolated (any Actor)? = #isolation
  ) throws -> T? {
    recordUse(on: isolation)
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

  /// Runs a query with exclusive access to the context, after applying new commits to registered models.
  ///
  /// If the query itself detects external commits, it runs again after they have been read.
  ///
  /// - Throws: ``SwiftDataError/contextInUse``; the query's error; the error of an unreadable value, which a query in
  ///   memory would otherwise treat as `nil`.
  func querying<Result>(
    _ operation: ContextOccupancy.Operation, tracedAs purpose: TracedStatement.Purpose? = nil,
    _ body: () throws -> Result
  ) throws -> Result {
    try occupancy.performExclusively(operation) {
      if let monitor = core.onlyMonitor, monitor.hasMetCommits == false, !pending.hasChanges {
        // The query itself detects new commits, which saves a separate transaction.
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
  /// Fetches the models that match a descriptor, loading them in batches on access.
  ///
  /// ```swift
  /// for trip in try context.fetch(FetchDescriptor<Trip>(), batchSize: 500) {
  ///   print(trip.name)
  /// }
  /// ```
  ///
  /// The identifiers of all matches are read immediately; they determine the count and order of the elements. A batch
  /// is read on first access and released after four further batches have been used. Models retained by the app remain
  /// valid.
  ///
  /// If an element's row has since been deleted, the element is a model that has the identifier and whose `isDeleted`
  /// is true. It shows zero values unless it is still registered. An element whose row is unreadable also shows zero
  /// values and rejects writes, but `isDeleted` is false: ``ModelIssue/unreadableModels(_:count:reason:)`` reports the
  /// reason, and ``fetch(_:)`` and ``enumerate(_:batchSize:allowEscapingMutations:block:)`` throw the error.
  ///
  /// Unlike SwiftData, which throws `includePendingChangesWithBatchSize`, this function includes pending changes, as
  /// ``fetch(_:)`` does. Inserted models are retained until the collection is released. If the sort order or predicate
  /// must be evaluated in memory, the matches are loaded once to determine the order.
  ///
  /// - Parameters:
  ///   - descriptor: The predicate, sort order and limits.
  ///   - batchSize: The number of models per batch; 0 or less reads all models in a single batch.
  /// - Returns: A random-access collection, for use in the context's isolation.
  /// - Throws: The same errors as ``fetch(_:)``.
  public func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<T> {
    let (pass, identifiers) = try identifiers(descriptor)
    let inserted = pass.inserted(among: identifiers)
    return FetchResultsCollection(count: identifiers.count, batchSize: batchSize) { range in
      pass.elements(identifiers[range], besides: inserted)
    }
  }

  /// Fetches the identifiers of matching models, as a collection.
  ///
  /// ```swift
  /// let ids = try context.fetchIdentifiers(FetchDescriptor<Trip>(), batchSize: 1_000)
  /// let newest = ids.suffix(10).map { context.model(for: $0) }
  /// ```
  ///
  /// - Parameters:
  ///   - descriptor: The predicate, sort order and limits.
  ///   - batchSize: The number of elements per batch. All identifiers remain in memory, 16 bytes each.
  /// - Returns: A random-access collection, as in ``fetch(_:batchSize:)``.
  /// - Throws: The same errors as ``fetchIdentifiers(_:)``.
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<PersistentIdentifier> {
    let identifiers = try fetchIdentifiers(descriptor)
    return FetchResultsCollection(count: identifiers.count, batchSize: batchSize) { Array(identifiers[$0]) }
  }
}

/// Batched fetches.
extension FetchPass {
  /// Returns the inserted models among the matches. A save assigns them new identifiers.
  func inserted(among identifiers: [PersistentIdentifier]) -> [PersistentIdentifier: T] {
    let inserted = identifiers.lazy.filter(\.isTemporary).compactMap { identifier in
      (table.model(identifier) as? T).map { (identifier, $0) }
    }
    return Dictionary(inserted, uniquingKeysWith: { first, _ in first })
  }

  /// Loads the models for some matches; an element is `nil` if the row was deleted.
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

  /// Loads the models for some matches, with placeholders for deleted and unreadable rows.
  func elements(
    _ identifiers: ArraySlice<PersistentIdentifier>, besides inserted: [PersistentIdentifier: T]
  ) -> [T] {
    let models: [T?]
    do {
      models = try loadBatch(identifiers, besides: inserted)
    } catch {
      // Loads each row separately, so that an unreadable row does not affect the rest of the batch.
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
  /// Creates a placeholder for a deleted row.
  func deleted<M: PersistentModel>(_ identifier: PersistentIdentifier, as type: M.Type) -> M {
    let model = placeholder(identifier, as: type)
    model.side.becomePlaceholder()
    return model
  }

  /// Creates a placeholder for a deleted row.
  func deleted(_ identifier: PersistentIdentifier) -> any PersistentModel {
    let model = makePlaceholder(identifier)
    model.side.becomePlaceholder()
    return model
  }

  /// Creates a placeholder for an unreadable row.
  func unreadable(_ identifier: PersistentIdentifier) -> any PersistentModel {
    let model = makePlaceholder(identifier)
    model.side.isUnreadable = true
    return model
  }
}

extension ModelContext {
  /// Calls a closure for each matching model, in order, loading the models in batches.
  ///
  /// ```swift
  /// var nights = 0
  /// try context.enumerate(FetchDescriptor<Trip>(), batchSize: 1_000) { trip in
  ///   nights += trip.nights  // a computed property, which the store cannot sum
  /// }
  /// ```
  ///
  /// The matches are determined at the start. The closure is therefore also called for models that no longer match, but
  /// not for new matches or deleted models. Between batches, the context releases models that the app does not retain,
  /// so memory use grows by only 16 bytes per match.
  ///
  /// Changed models are retained until they are saved. Therefore the context must have no unsaved changes at the
  /// start, and the closure must save its changes, at the latest for the last model of a batch, unless
  /// `allowEscapingMutations` is true:
  ///
  /// ```swift
  /// try context.enumerate(FetchDescriptor<Trip>(), allowEscapingMutations: true) { trip in
  ///   trip.tags.removeAll { $0.isEmpty }
  /// }
  /// try context.save()
  /// ```
  ///
  /// - Parameters:
  ///   - fetch: The predicate, sort order and limits.
  ///   - batchSize: The number of models per batch; 0 or less reads all models in a single batch.
  ///   - allowEscapingMutations: True to allow unsaved changes at the start and after each batch. They remain pending
  ///     until the next save.
  ///   - block: Called with each model.
  /// - Throws: ``SwiftDataError/includePendingChangesWithBatchSize`` if there are disallowed pending changes, which
  ///   remain pending; errors from the closure; the same errors as ``fetch(_:)``.
  public func enumerate<T: PersistentModel>(
    _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
    block: (T) throws -> Void
  ) throws {
    func check(_ when: String) throws {
      guard hasChanges, !allowEscapingMutations else { return }
      throw SwiftDataError.includePendingChangesWithBatchSize.explained(
        "the context has unsaved changes \(when) 'enumerate': save them, or pass "
          + "'allowEscapingMutations: true' to keep them in memory until the next save")
    }
    try check("before")
    let (pass, identifiers) = try identifiers(fetch)
    let size = batchSize > 0 ? batchSize : max(1, identifiers.count)
    let inserted = pass.inserted(among: identifiers)
    var rest = identifiers[...]
    while !rest.isEmpty {
      // A separate function, so that a batch is released before the next batch is read.
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

/// Deletions by predicate: the next save deletes unregistered rows by key, and no objects are created.
extension ModelContext {
  /// Adds a query's matches to the pending deletions, as rows.
  ///
  /// - Returns: The registered matches, which the caller must delete. `nil` if the matches must become objects because
  ///   the context has other changes, an undo manager or observers, or because the class is part of a hierarchy.
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
      autosave?.recordChange()
      // Rows that were read ahead could otherwise become objects with no store query.
      state.ahead.removeAll()
    }
    return registered
  }
}
