/// The request to a store of snapshots for one page, and the part of the page that is left to the context.
///
/// The answer of a store does not show whether the store applies limit and offset. So the request is for
/// everything up to the end of the page, and the context cuts the page out of the answer.
struct SnapshotPage<T: PersistentModel> {
  let request: DataStoreFetchRequest<T>
  private let offset: Int
  private let limit: Int

  /// - Throws: ``DataStoreError/preferInMemoryFilter`` for a predicate that captures temporary identifiers, of which only
  ///   the context knows the rows.
  init(_ query: Query<T>, _ store: some DataStore) throws {
    if CapturedIdentifiers.scope != nil, let predicate = query.descriptor.predicate,
      PredicateShape(predicate).capturesTemporaryIdentifiers
    {
      throw DataStoreError.preferInMemoryFilter
    }
    limit = query.limit ?? .max
    offset = store.appliesFetchOffset ? 0 : query.offset
    var descriptor = query.descriptor
    if offset > 0 {
      let (end, isBeyond) = limit.addingReportingOverflow(offset)
      descriptor.fetchOffset = 0
      descriptor.fetchLimit = isBeyond ? nil : end
    }
    request = DataStoreFetchRequest(descriptor: descriptor, editingState: query.editingState)
  }

  func cut<Element>(_ found: [Element]) -> ArraySlice<Element> {
    found.dropFirst(offset).prefix(limit)
  }

  func cut(_ count: Int) -> Int { count > offset ? min(limit, count - offset) : 0 }
}
