import Foundation

/// A context's request for rows, keys or a count, independent of the model type.
///
/// Code that reads tables uses this class, because generic code would look up type metadata in every call. Only
/// ``Query`` stores the predicate and the sort order, and translates them.
package class StoreQuery {
  package let definition: ModelDefinition
  package let editingState: EditingState
  /// The predicate with the statements that it shares; nil if there is no predicate or no shared statement.
  package let predicate: SignedPredicate?
  /// The list from which members are requested; nil for all models.
  package let list: DataStoreRelatedRequest?
  /// The attributes to read; nil for all attributes.
  @exclusivity(unchecked) package final var parts: FetchParts?
  /// True if the store may return rows that do not match, because the context filters them.
  @exclusivity(unchecked) package fileprivate(set) final var isNarrowing = false
  package let hasPredicate: Bool
  package let hasOrder: Bool
  package let offset: Int
  /// The maximum model count; nil for no limit.
  package let limit: Int?

  fileprivate init(
    _ definition: ModelDefinition, _ editingState: EditingState, _ predicate: SignedPredicate?,
    _ list: DataStoreRelatedRequest?, hasPredicate: Bool, hasOrder: Bool, offset: Int?, limit: Int?
  ) {
    self.definition = definition
    self.editingState = editingState
    self.predicate = predicate
    self.list = list
    self.hasPredicate = hasPredicate
    self.hasOrder = hasOrder
    self.offset = max(0, offset ?? 0)
    self.limit = limit.map { max(0, $0) }
  }

  /// True if the query requests only some matches.
  package final var isPaged: Bool { limit != nil || offset > 0 }

  /// Returns the requested matches.
  package final func page<Element>(_ all: [Element]) -> [Element] {
    guard isPaged else { return all }
    return Array(all.dropFirst(offset).prefix(limit ?? .max))
  }

  /// Returns the number of matches in the requested part.
  package final func page(_ count: Int) -> Int { min(limit ?? .max, max(0, max(0, count) - offset)) }

  // MARK: translation

  /// Returns the predicate's condition, or the leading operands' condition if ``isNarrowing`` is true; nil if there is
  /// no predicate.
  ///
  /// - Throws: ``Untranslatable`` if SQL cannot reproduce Swift's result.
  package func condition(_ translator: PredicateTranslator) throws -> SQLFragment? { nil }

  /// Returns the ORDER BY terms; nil if there is no sort order.
  package func order(_ translator: PredicateTranslator) throws -> SQLFragment? { nil }
}

/// A context's request to a store for rows, keys or a count.
///
/// Used for every fetch, count, explanation and aggregate. The descriptor selects the models. The remaining properties
/// contain information that a ``DataStoreFetchRequest`` cannot represent.
package final class Query<T: PersistentModel>: StoreQuery {
  /// True if the descriptor selects properties.
  package let hasParts: Bool
  /// True if related models are fetched in advance.
  package let hasPrefetch: Bool
  package let descriptor: FetchDescriptor<T>

  // Every lookup by key creates a query in unspecialized code. Closures over the predicate and collection functions
  // would look up type metadata in each call.
  /// - Parameter predicate: The descriptor's predicate, if it was signed by an earlier query.
  package init(
    _ descriptor: FetchDescriptor<T>, _ editingState: EditingState, list: DataStoreRelatedRequest? = nil,
    predicate: SignedPredicate? = nil
  ) {
    hasParts = descriptor.propertiesToFetch.count > 0
    hasPrefetch = descriptor.relationshipKeyPathsForPrefetching.count > 0
    self.descriptor = descriptor
    var signed = predicate
    var hasPredicate = false
    if let predicate = descriptor.predicate {
      hasPredicate = true
      if signed == nil { signed = CachedQuery.of(predicate) }
    }
    super.init(
      T._$definition, editingState, signed, list, hasPredicate: hasPredicate, hasOrder: descriptor.sortBy.count > 0,
      offset: descriptor.fetchOffset, limit: descriptor.fetchLimit)
  }

  package convenience init(_ request: DataStoreFetchRequest<T>) { self.init(request.descriptor, request.editingState) }

  private func copy(_ descriptor: FetchDescriptor<T>) -> Query {
    Query(descriptor, editingState, list: list, predicate: predicate)
  }

  // MARK: other queries

  /// The query for all matching models, unsorted and excluding pending changes.
  package var withoutOrder: Query {
    var descriptor = FetchDescriptor(predicate: descriptor.predicate)
    descriptor.includePendingChanges = false
    return copy(descriptor)
  }

  /// The query for all models.
  package var withoutPredicate: Query { Query(FetchDescriptor(), editingState) }

  /// The query for the rows that satisfy the predicate as far as SQL can evaluate it.
  package var narrowed: Query {
    let query = copy(descriptor)
    query.isNarrowing = true
    return query
  }

  // MARK: context requests

  /// Returns true if the predicate reads related models' values.
  ///
  /// - Parameter hasDeletions: True if deletions are pending, because they clear references.
  package func crossesRelationships(hasDeletions: Bool) -> Bool {
    if let query = predicate?.query {
      return query.crossesRelationships || (hasDeletions && query.readsReferences)
    }
    guard let predicate = descriptor.predicate else { return false }
    let shape = PredicateShape(predicate)
    return shape.crossesRelationships || (hasDeletions && shape.readsReferences)
  }

  /// True if the order depends on related models' values.
  package var sortCrossesRelationships: Bool {
    descriptor.sortBy.contains { sort in
      guard let keyPath = sort.keyPath else { return false }
      return SortPath.of(keyPath, T._$definition)?.hops.isEmpty != true
    }
  }

  /// The identifier that the predicate selects; nil if the predicate contains any other condition.
  package var wantedIdentifier: PersistentIdentifier? {
    guard hasPredicate else { return nil }
    if let predicate { return predicate.wantedIdentifier }
    return descriptor.predicate.flatMap { PredicateLookup.identifier(of: $0) }
  }

  // MARK: translation

  package override func condition(_ translator: PredicateTranslator) throws -> SQLFragment? {
    guard let predicate = descriptor.predicate else { return nil }
    guard isNarrowing else { return try translator.filter(predicate) }
    guard let beginning = translator.narrowing(predicate) else {
      throw Untranslatable("the predicate has no leading part that SQL can evaluate")
    }
    return beginning
  }

  package override func order(_ translator: PredicateTranslator) throws -> SQLFragment? {
    hasOrder ? try translator.order(descriptor.sortBy) : nil
  }
}

/// Selects the snapshots of a class and its subclasses from the snapshots that a store returns.
package struct ClassFilter {
  package let definition: ModelDefinition
  /// The entity names for the class and all subclasses.
  private let names: Set<String>

  package init(_ definition: ModelDefinition, _ schema: Schema) {
    self.definition = definition
    let entity = schema.entitiesByName[definition.entityName]
    names = Set(entity?.hierarchy.map(\.name) ?? []).union([definition.entityName])
  }

  /// Returns true if a snapshot belongs to the class. The snapshot's identifier can name a superclass, as in a
  /// ``DefaultStore``.
  package func takes(_ snapshot: some DataStoreSnapshot) -> Bool {
    let identifier = snapshot.persistentIdentifier
    if names.contains(identifier.entityName) { return true }
    guard mayTake(identifier), let own = (snapshot as? DefaultSnapshot)?.buffer.definition else { return false }
    return names.contains(own.entityName)
  }

  /// Returns true if an identifier can belong to a model in the class.
  package func mayTake(_ identifier: PersistentIdentifier) -> Bool {
    names.contains(identifier.entityName) || definition.isOrInherits(from: identifier.entityName)
  }
}
