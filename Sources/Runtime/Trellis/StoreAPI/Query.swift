import Foundation

/// A query of a context to a store for rows, keys or a count.
///
/// Every fetch, count, explanation and aggregate uses one. The descriptor selects the models. The other properties
/// contain information of the context that a ``DataStoreFetchRequest`` cannot contain.
struct Query<T: PersistentModel> {
  var descriptor: FetchDescriptor<T>
  let editingState: EditingState
  /// The predicate with its cached statements; nil without a predicate and if statements are not shared.
  private(set) var predicate: SignedPredicate?
  /// The to-many relationship whose members are requested; nil for all models.
  var list: DataStoreRelatedRequest?
  /// Predicates that the rows satisfy in addition to the descriptor's predicate.
  var filters: [Predicate<T>] = []
  /// The attributes to read; nil for all attributes.
  var parts: FetchParts?
  /// True if the result can contain rows that do not match, because the context filters them.
  var isNarrowing = false

  init(
    _ descriptor: FetchDescriptor<T>, _ editingState: EditingState,
    list: DataStoreRelatedRequest? = nil, filters: [Predicate<T>] = []
  ) {
    self.descriptor = descriptor
    self.editingState = editingState
    self.list = list
    self.filters = filters
    predicate = descriptor.predicate.flatMap { CachedQuery.of($0) }
  }

  init(_ request: DataStoreFetchRequest<T>) { self.init(request.descriptor, request.editingState) }

  /// The query for all matches, without order, page and pending changes.
  var withoutOrder: Query {
    var query = self
    query.descriptor = FetchDescriptor(predicate: descriptor.predicate)
    query.descriptor.includePendingChanges = false
    query.parts = nil
    return query
  }

  /// The query for all models.
  var withoutPredicate: Query { Query(FetchDescriptor(), editingState) }

  var offset: Int { max(0, descriptor.fetchOffset ?? 0) }

  /// The maximum number of models; nil for no limit.
  var limit: Int? { descriptor.fetchLimit.map { max(0, $0) } }

  /// True if the query requests a part of the matches.
  var isPaged: Bool { descriptor.fetchLimit != nil || offset > 0 }

  /// The requested part of all matches.
  func page<Element>(_ all: [Element]) -> [Element] {
    guard isPaged else { return all }
    return Array(all.dropFirst(offset).prefix(limit ?? .max))
  }

  /// The number of models in the requested part.
  func page(_ count: Int) -> Int { min(limit ?? .max, max(0, count - offset)) }

  /// True if the result depends on related models.
  ///
  /// - Parameter hasDeletions: True if deletions are pending, which clear references.
  func crossesRelationships(hasDeletions: Bool) -> Bool {
    if let query = predicate?.query {
      return query.crossesRelationships || (hasDeletions && query.readsReferences)
    }
    guard let predicate = descriptor.predicate else { return false }
    let shape = PredicateShape(predicate)
    return shape.crossesRelationships || (hasDeletions && shape.readsReferences)
  }

  /// True if the order depends on values of related models.
  var sortCrossesRelationships: Bool {
    descriptor.sortBy.contains { sort in
      guard let keyPath = sort.keyPath else { return false }
      return SortPath.of(keyPath, T._$definition)?.hops.isEmpty != true
    }
  }

  /// The identifier that the predicate compares with, if the predicate has no other condition.
  var wantedIdentifier: PersistentIdentifier? {
    if let predicate { return predicate.wantedIdentifier }
    return descriptor.predicate.flatMap { PredicateLookup.identifier(of: $0) }
  }
}
