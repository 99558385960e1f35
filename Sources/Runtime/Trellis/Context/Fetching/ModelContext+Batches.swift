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
    let (pass, identifiers) = try querying(.fetch) {
      let pass = try FetchPass(context: self, descriptor: descriptor)
      return (pass, try TracedStatement.scope(.fetch) { try pass.identifiers() })
    }
    let inserted = pass.inserted(among: identifiers)
    return FetchResultsCollection(
      count: identifiers.count, batchSize: batchSize > 0 ? batchSize : identifiers.count
    ) { range in
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
    return FetchResultsCollection(
      count: identifiers.count, batchSize: batchSize > 0 ? batchSize : identifiers.count
    ) { range in
      Array(identifiers[range])
    }
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
    let missing = identifiers.filter { table.object($0) == nil && !$0.isTemporary }
    var loaded: [PersistentIdentifier: T] = [:]
    if !missing.isEmpty {
      let found = try TracedStatement.scope(.fetch) { try context.load(Array(missing), T._$definition) }
      for model in found {
        loaded[model._$identifier] = model as? T
      }
    }
    if table.hasRelationships { table.remember(FaultBatch(.list(Array(identifiers)))) }
    let models = identifiers.map { loaded[$0] ?? table.model($0) as? T ?? inserted[$0] }
    if !query.descriptor.relationshipKeyPathsForPrefetching.isEmpty {
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
