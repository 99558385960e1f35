extension ModelContext {
  /// One aggregate over the models a descriptor describes; over all models without one.
  ///
  ///     let unread = try context.aggregate(
  ///       .count, over: FetchDescriptor<Message>(predicate: #Predicate { !$0.isRead }))
  ///     let spent = try context.aggregate(.sum(\Item.cost))
  ///     // SELECT count("t0"."cost"), sum("t0"."cost") FROM "Item" AS "t0"
  ///
  /// All of the descriptor counts, limit and offset too: the rows are those that ``fetch(_:)``
  /// would return. The store computes the answer without making models; changes that are not saved,
  /// other stores, and what has no translation to SQL are answered from models, with the same
  /// result. Not in SwiftData.
  ///
  /// - Throws: ``AggregateOverflow`` when a sum does not fit, and as ``fetch(_:)``.
  public func aggregate<T: PersistentModel, Value>(
    _ aggregate: Aggregate<T, Value>, over descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value {
    try summary(descriptor, GroupPlan(computing: aggregate)) { try $0.next(aggregate) }
  }

  /// Several aggregates at once, with one question to the store.
  ///
  ///     let (count, first, last) = try context.aggregate(
  ///       .count, .minimum(\.startDate), .maximum(\.endDate), over: FetchDescriptor<Trip>())
  ///
  /// Not in SwiftData.
  ///
  /// - Throws: ``AggregateOverflow`` if a sum does not fit, and as ``fetch(_:)``.
  public func aggregate<T: PersistentModel, each Value>(
    _ aggregates: repeat Aggregate<T, each Value>,
    over descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> (repeat each Value) {
    try summary(descriptor, GroupPlan(computing: repeat each aggregates)) {
      (repeat try $0.next(each aggregates))
    }
  }

  /// Groups the models a descriptor describes and computes aggregates of each group.
  ///
  ///     let summary = try context.groups(
  ///       of: FetchDescriptor<Trip>(predicate: #Predicate { $0.budget > 0 }),
  ///       by: \.destination, computing: .count, .sum(\.budget),
  ///       having: .count > 1, orderedBy: [.descending(.count)], limit: 10)
  ///     for (destination, trips, budget) in summary { … }
  ///     // SELECT "t0"."destination", count(*), … FROM "Trip" AS "t0" WHERE … GROUP BY "t0"."destination"
  ///
  /// Without aggregates the result is the different values there are. A group key is an attribute
  /// of a plain type, an enum, or a value behind a to-one relationship (`\.trip?.destination`,
  /// `\.trip?.persistentModelID`); nil is a group like any other. As `aggregate(_:over:)`
  /// otherwise. Not in SwiftData.
  ///
  /// - Parameters:
  ///   - descriptor: the models to group.
  ///   - keys: what the models of a group have in common.
  ///   - aggregates: what is computed of each group; none for the keys alone.
  ///   - having: which groups; all of them by default.
  ///   - orderedBy: in which order; by the keys behind that, and by default.
  ///   - limit: The maximum number of groups. The limit of the descriptor is for models.
  /// - Throws: ``AggregateOverflow`` if a sum does not fit, and as ``fetch(_:)``.
  public func groups<T: PersistentModel, each Key, each Value>(
    of descriptor: FetchDescriptor<T> = FetchDescriptor(), by keys: repeat KeyPath<T, each Key>,
    computing aggregates: repeat Aggregate<T, each Value>, having: GroupFilter<T>? = nil,
    orderedBy: [GroupOrder<T>] = [], limit: Int? = nil
  ) throws -> [(repeat each Key, repeat each Value)] {
    let plan = GroupPlan(
      by: repeat each keys, computing: repeat each aggregates, having: having, orderedBy: orderedBy, limit: limit)
    return try querying(.fetch) {
      try plan.rows(of: valueRows(descriptor, crossesRelationships: plan.crossesRelationships)) {
        (repeat try $0.next(each keys), repeat try $0.next(each aggregates))
      }
    }
  }

  private func summary<T: PersistentModel, Row>(
    _ descriptor: FetchDescriptor<T>, _ plan: GroupPlan<T>, _ row: (inout GroupValues<T>) throws -> Row
  ) throws -> Row {
    try querying(.fetch) {
      try plan.row(of: valueRows(descriptor, crossesRelationships: plan.crossesRelationships), row)
    }
  }

  // MARK: values

  /// One value of each model that a fetch returns, in its order, without creating models.
  ///
  ///     let names = try context.values(of: \Trip.name)
  ///
  /// Not in SwiftData.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func values<T: PersistentModel, Value>(
    of keyPath: KeyPath<T, Value>, fetching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> [Value] {
    try querying(.fetch) { try rows(of: keyPath, fetching: descriptor) }
  }

  /// The different values the models of a descriptor have, in ascending order, nil first.
  ///
  ///     let places = try context.distinctValues(of: \Trip.destination)
  ///     // SELECT "t0"."destination" FROM "Trip" AS "t0" GROUP BY "t0"."destination"
  ///
  /// Values are different as in ``Aggregate/countDistinct(_:)``. For the different pairs of several
  /// values use ``groups(of:by:computing:having:orderedBy:limit:)`` without aggregates. Not in
  /// SwiftData.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func distinctValues<T: PersistentModel, Value>(
    of keyPath: KeyPath<T, Value>, fetching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> [Value] {
    try groups(of: descriptor, by: keyPath)
  }

  /// Values of the models a fetch would return, in its order, without making models of them.
  ///
  ///     for (name, start) in try context.values(
  ///       of: \.name, \.startDate, fetching: FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
  ///     // SELECT "t0"."name", "t0"."startDate" FROM "Trip" AS "t0" ORDER BY "t0"."name", "t0"."id"
  ///
  /// A key path leads to an attribute, to the identifier or, through to-one relationships, to one of
  /// another model (`\.trip?.name`). Models are fetched where changes that are not saved count, and
  /// for values that are not stored as they are: computed and transformable properties. The result
  /// is the same. Not in SwiftData.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func values<T: PersistentModel, each Value>(
    of keyPaths: repeat KeyPath<T, each Value>,
    fetching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> [(repeat each Value)] {
    try querying(.fetch) { try rows(of: repeat each keyPaths, fetching: descriptor) }
  }

  private func rows<T: PersistentModel, each Value>(
    of keyPaths: repeat KeyPath<T, each Value>, fetching descriptor: FetchDescriptor<T>
  ) throws -> [(repeat each Value)] {
    let readers = (repeat ValueReader(each keyPaths))
    var inputs: [ValueInput] = []
    for reader in repeat each readers { inputs.append(reader.input) }
    let rows = try valueRows(descriptor, crossesRelationships: inputs.contains(where: \.crossesRelationships))
    return try rows.fold(inputs, isOrdered: true, into: { [] }) { found, row in
      var column: Int32 = -1
      func next() -> Int32 {
        column += 1
        return column
      }
      found.append((repeat try (each readers)(&row, next())))
    }
  }

  // MARK: members

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
    var asked: [Int] = []
    var question: (tables: any TableStore, lists: DataStoreRelatedRequest)?
    for index in owners.indices {
      let list = owners[index].related(keyPath)
      guard let request = try list.request(changesMatter: false, looks: index == 0), request.context === self,
        question == nil || question?.lists.entityName == request.list.entityName
      else {
        counts[index] = try list.count
        continue
      }
      asked.append(index)
      question?.lists.owners += request.list.owners
      if question == nil { question = (request.tables, request.list) }
    }
    guard let question else { return counts }
    let found = try question.tables.countMembers(question.lists, isExistence: false)
    for (index, count) in zip(asked, found) { counts[index] = count }
    return counts
  }
}
