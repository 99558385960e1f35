import Foundation

/// A question of a context to a store: for rows, for keys, or for a count.
///
/// Every fetch, count, explanation and aggregate is one. The descriptor says which models are wanted;
/// the other properties say what a context knows besides and a ``DataStoreFetchRequest`` has no place for.
struct Query<T: PersistentModel> {
  var descriptor: FetchDescriptor<T>
  let editingState: EditingState
  /// The predicate with the statements it shares; nil without a predicate, and where it shares none.
  private(set) var predicate: SignedPredicate?
  /// The list whose members are wanted; nil for all models.
  var list: DataStoreRelatedRequest?
  /// Predicates that the rows satisfy in addition to that of the descriptor.
  var filters: [Predicate<T>] = []
  /// The attributes to read; nil for all of them.
  var parts: FetchParts?
  /// True if rows may come that do not match, because the context filters them.
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

  /// The question for all models that match, in no order and whatever is pending.
  var withoutOrder: Query {
    var query = self
    query.descriptor = FetchDescriptor(predicate: descriptor.predicate)
    query.descriptor.includePendingChanges = false
    query.parts = nil
    return query
  }

  /// The question for all models.
  var withoutPredicate: Query { Query(FetchDescriptor(), editingState) }

  var offset: Int { max(0, descriptor.fetchOffset ?? 0) }

  /// The maximum number of models; nil for all.
  var limit: Int? { descriptor.fetchLimit.map { max(0, $0) } }

  /// True if the question is for a part of the matches.
  var isPaged: Bool { descriptor.fetchLimit != nil || offset > 0 }

  /// The part of the matches that the question is for.
  func page<Element>(_ all: [Element]) -> [Element] {
    guard isPaged else { return all }
    return Array(all.dropFirst(offset).prefix(limit ?? .max))
  }

  /// The number of matches in the part that the question is for.
  func page(_ count: Int) -> Int { min(limit ?? .max, max(0, count - offset)) }

  /// - Parameter hasDeletions: true if deletions are pending, which empty references.
  func crossesRelationships(hasDeletions: Bool) -> Bool {
    if let query = predicate?.query {
      return query.crossesRelationships || (hasDeletions && query.readsReferences)
    }
    guard let predicate = descriptor.predicate else { return false }
    let shape = PredicateShape(predicate)
    return shape.crossesRelationships || (hasDeletions && shape.readsReferences)
  }

  /// True if the values of other models decide the order.
  var sortCrossesRelationships: Bool {
    descriptor.sortBy.contains { sort in
      guard let keyPath = sort.keyPath else { return false }
      return SortPath.of(keyPath, T._$definition)?.hops.isEmpty != true
    }
  }

  /// The identity that the predicate asks for, if it asks for nothing else.
  var wantedIdentifier: PersistentIdentifier? {
    if let predicate { return predicate.wantedIdentifier }
    return descriptor.predicate.flatMap { PredicateLookup.identifier(of: $0) }
  }
}
