extension ModelContext {
  /// Counts the members of a to-many relationship of several models, in the order of the models.
  ///
  ///     let counts = try context.counts(of: \.bucketList, in: trips)
  ///     // SELECT count(*) FROM "BucketListItem" AS "t0" WHERE "t0"."trip" = ?, for each trip
  ///
  /// The result is that of ``RelationshipQuery/count`` for each model, in one read transaction. One call is much faster
  /// than one per model, because most of the time of such a short query is the lock. Not in SwiftData.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func counts<Owner: PersistentModel, Element: PersistentModel>(
    of keyPath: KeyPath<Owner, [Element]>, in owners: [Owner]
  ) throws -> [Int] {
    var counts = [Int](repeating: 0, count: owners.count)
    var asked: [(index: Int, owner: PersistentIdentifier)] = []
    var first: RelationshipQuery<Element>.Request?
    for (index, owner) in owners.enumerated() {
      let list = owner.related(keyPath)
      guard let request = try list.request(changesMatter: false), request.context === self,
        first.map({ $0.list.entityName == request.list.entityName }) ?? true
      else {
        counts[index] = try list.count
        continue
      }
      if first == nil { first = request }
      asked.append((index, owner._$identifier))
    }
    guard let first else { return counts }
    let found = try first.store.countMembers(
      DataStoreRelatedRequest(
        owners: asked.map(\.owner), entityName: first.list.entityName, slot: first.list.slot,
        editingState: editingState), isExistence: false)
    for (question, count) in zip(asked, found) { counts[question.index] = count }
    return counts
  }
}
