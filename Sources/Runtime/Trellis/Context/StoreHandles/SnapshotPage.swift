/// What a store is asked for a page, and what is left to do with its answer.
///
/// Whether a store minds limit and offset cannot be seen from its answers. It is asked for everything up
/// to the end of the page, which it may cut off there or not.
struct SnapshotPage<T: PersistentModel> {
  let request: DataStoreFetchRequest<T>
  private let offset: Int
  private let limit: Int

  init(_ request: DataStoreFetchRequest<T>, _ store: some DataStore) {
    let offset = max(0, request.descriptor.fetchOffset ?? 0)
    limit = request.descriptor.fetchLimit.map { max(0, $0) } ?? .max
    guard offset > 0, !store.appliesFetchOffset else {
      self.request = request
      self.offset = 0
      return
    }
    self.offset = offset
    var descriptor = request.descriptor
    let (end, isBeyond) = limit.addingReportingOverflow(offset)
    descriptor.fetchOffset = 0
    descriptor.fetchLimit = isBeyond ? nil : end
    var whole = DataStoreFetchRequest(descriptor: descriptor, editingState: request.editingState)
    whole.isNarrowing = request.isNarrowing
    whole.form = request.form
    self.request = whole
  }

  func cut<Element>(_ found: [Element]) -> ArraySlice<Element> {
    found.dropFirst(offset).prefix(limit)
  }

  func cut(_ count: Int) -> Int { count > offset ? min(limit, count - offset) : 0 }
}
