extension ModelContext {
  /// How many members a to-many relationship of several models has, in the order of the models.
  ///
  ///     let counts = try context.counts(of: \.bucketList, in: trips)
  ///     // SELECT count(*) FROM "BucketListItem" AS "t0" WHERE "t0"."trip" = ?, for each trip
  ///
  /// As ``RelationshipQuery/count`` of each, for all of them at one state of the store. That is also much
  /// faster: what such a short question costs is mostly the lock it takes. Not in SwiftData.
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
