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
    return try querying(.fetch) {
      try TracedStatement.scope(.fetch) {
        try FetchPass(context: self, descriptor: descriptor).models()
      }
    }
  }

  /// The number of models that ``fetch(_:)`` returns. The store counts if it can, without creating models.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    try querying(.count) {
      try TracedStatement.scope(.count) {
        try FetchPass(context: self, descriptor: descriptor).count()
      }
    }
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
    try querying(.fetch) {
      try TracedStatement.scope(.fetch) {
        try FetchPass(context: self, descriptor: descriptor).identifiers()
      }
    }
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

  /// Runs a query as the only thread inside, after reading new commits.
  ///
  /// - Throws: ``SwiftDataError/contextInUse``, the error of the query, and that of a value that could not be read: a query
  ///   in memory would take it for nil.
  func querying<Result>(
    _ operation: ContextOccupancy.Operation, _ body: () throws -> Result
  ) throws -> Result {
    try occupancy.occupy(operation) {
      try readMailbox()
      try loadPendingRows()
      return try refusingUnreadValues(body)
    }
  }
}
