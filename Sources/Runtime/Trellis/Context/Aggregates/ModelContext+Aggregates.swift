extension ModelContext {
  /// Computes an aggregate over the models that match a descriptor, or over all models.
  ///
  /// ```swift
  /// let open = try context.aggregate(
  ///   .count, over: FetchDescriptor<BucketListItem>(predicate: #Predicate { !$0.isInPlan }))
  /// let budget = try context.aggregate(.sum(\Trip.budget))
  /// // SELECT count("t0"."budget"), decimal_sum("t0"."budget") FROM "Trip" AS "t0"
  /// ```
  ///
  /// The descriptor applies in full, including limit and offset: the aggregate covers the models that ``fetch(_:)``
  /// would return. The store computes the result, and no models are created. Models are created only for unsaved
  /// changes, for custom stores and for expressions that cannot be translated to SQL; the result is the same. Not in
  /// SwiftData.
  ///
  /// - Parameters:
  ///   - aggregate: The value to compute.
  ///   - descriptor: The models to include. Default: all models.
  /// - Returns: The value. If there are no models, a count or sum is 0, and other aggregates are `nil`.
  /// - Throws: ``AggregateOverflow`` if a sum does not fit; the same errors as ``fetch(_:)``.
  public func aggregate<T: PersistentModel, Value>(
    _ aggregate: Aggregate<T, Value>, over descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value {
    try summary(descriptor, GroupPlan(computing: aggregate)) { try $0.next(aggregate) }
  }

  /// Computes several aggregates with a single query.
  ///
  /// ```swift
  /// let (count, first, last) = try context.aggregate(
  ///   .count, .minimum(\.startDate), .maximum(\.endDate), over: FetchDescriptor<Trip>())
  /// // SELECT count(*), min("t0"."startDate"), max("t0"."endDate") FROM "Trip" AS "t0"
  /// ```
  ///
  /// Not in SwiftData.
  ///
  /// - Parameters:
  ///   - aggregates: The values to compute.
  ///   - descriptor: The models to include. Default: all models.
  /// - Returns: A value for each aggregate, in argument order.
  /// - Throws: ``AggregateOverflow`` if a sum does not fit; the same errors as ``fetch(_:)``.
  public func aggregate<T: PersistentModel, each Value>(
    _ aggregates: repeat Aggregate<T, each Value>,
    over descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> (repeat each Value) {
    try summary(descriptor, GroupPlan(computing: repeat each aggregates)) {
      (repeat try $0.next(each aggregates))
    }
  }

  /// Groups the models that match a descriptor and computes aggregates for each group.
  ///
  /// ```swift
  /// let summary = try context.groups(
  ///   of: FetchDescriptor<Trip>(predicate: #Predicate { $0.budget != nil }),
  ///   by: \.destination, computing: .count, .sum(\.budget),
  ///   having: .count > 1, orderedBy: [.descending(.count)], limit: 10)
  /// for (destination, trips, budget) in summary { print("\(destination): \(trips) trips, \(budget)") }
  /// // SELECT "t0"."destination", count(*), … FROM "Trip" AS "t0" WHERE … GROUP BY "t0"."destination"
  /// ```
  ///
  /// If there are no aggregates, the result contains the distinct key values. A group key is an attribute with a plain
  /// type, an enum, or a value reached through to-one relationships (`\.trip?.destination`,
  /// `\.trip?.persistentModelID`). `nil` forms a regular group. In all other respects, this function behaves like
  /// `aggregate(_:over:)`. Not in SwiftData.
  ///
  /// - Parameters:
  ///   - descriptor: The models to group.
  ///   - keys: The key paths whose values the models of a group share.
  ///   - aggregates: The aggregates to compute for each group; omit them to return only the keys.
  ///   - having: The condition for included groups. Default: all groups.
  ///   - orderedBy: The sort order, followed by the keys. Default: by the keys.
  ///   - limit: The maximum number of groups. The descriptor's limit applies to models.
  /// - Returns: The keys and aggregates of each group.
  /// - Throws: ``AggregateOverflow`` if a sum does not fit; ``SwiftDataError/unsupportedKeyPath`` if a key has no plain
  ///   type; ``SwiftDataError/unsupportedSortDescriptor`` if `orderedBy` contains a key path that is not a key; the
  ///   same errors as ``fetch(_:)``.
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

  /// Returns a value for each model that matches a descriptor, in order.
  ///
  /// ```swift
  /// let names = try context.values(
  ///   of: \.name, fetching: FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)]))
  /// // SELECT "t0"."name" FROM "Trip" AS "t0" ORDER BY "t0"."startDate", "t0"."id"
  /// ```
  ///
  /// To read several values of each model, list several key paths. The store returns columns, so no model objects are
  /// created. The exceptions are queries that must include unsaved changes, custom stores, text in PostgreSQL stores,
  /// and computed and transformable properties. The result is the same. Not in SwiftData.
  ///
  /// - Parameters:
  ///   - keyPath: The property to read.
  ///   - descriptor: The models to include. Default: all models.
  /// - Throws: The same errors as ``fetch(_:)``.
  public func values<T: PersistentModel, Value>(
    of keyPath: KeyPath<T, Value>, fetching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> [Value] {
    try querying(.fetch) { try rows(of: keyPath, fetching: descriptor) }
  }

  /// Returns the distinct values of the matching models in ascending order, `nil` first.
  ///
  /// ```swift
  /// let places = try context.distinctValues(of: \Trip.destination)  // ["Bergen", "Oslo"]
  /// // SELECT "t0"."destination" FROM "Trip" AS "t0" GROUP BY "t0"."destination"
  /// ```
  ///
  /// Values are compared as in ``Aggregate/countDistinct(_:)``. For distinct combinations of several values, use
  /// ``groups(of:by:computing:having:orderedBy:limit:)`` and omit the aggregates. Not in SwiftData.
  ///
  /// - Parameters:
  ///   - keyPath: The property to read. The same types are supported as for group keys.
  ///   - descriptor: The models to include. Default: all models.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` if the property has no plain type; the same errors as
  ///   ``fetch(_:)``.
  public func distinctValues<T: PersistentModel, Value>(
    of keyPath: KeyPath<T, Value>, fetching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> [Value] {
    try groups(of: descriptor, by: keyPath)
  }

  /// Returns several values for each model that matches a descriptor, in order.
  ///
  /// ```swift
  /// for (name, start) in try context.values(
  ///   of: \.name, \.startDate, fetching: FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
  /// {
  ///   print("\(name) starts on \(start)")
  /// }
  /// // SELECT "t0"."name", "t0"."startDate" FROM "Trip" AS "t0" ORDER BY "t0"."name", "t0"."id"
  /// ```
  ///
  /// A key path may refer to an attribute, to the identifier or, through to-one relationships, to an attribute of a
  /// related model (`\.trip?.name`). No model objects are created, with the same exceptions as for a single key path.
  /// Not in SwiftData.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties to read.
  ///   - descriptor: The models to include. Default: all models.
  /// - Returns: A tuple for each model, in the order of the key paths.
  /// - Throws: The same errors as ``fetch(_:)``.
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

  /// Counts the members of a to-many relationship for several models, in model order.
  ///
  /// ```swift
  /// let trips = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)]))
  /// let counts = try context.counts(of: \.bucketList, in: trips)
  /// for (trip, count) in zip(trips, counts) { print("\(trip.name): \(count) items") }
  /// // SELECT COUNT(*) FROM "BucketListItem" AS "t0" WHERE "t0"."trip" = ?1, for each trip
  /// ```
  ///
  /// The result equals ``RelationshipQuery/count`` for each model, computed in a single read transaction. A single
  /// call is much faster than a call per model, because locking dominates the time of such short queries. Not in
  /// SwiftData.
  ///
  /// - Parameters:
  ///   - keyPath: The to-many relationship.
  ///   - owners: The models whose members are counted.
  /// - Returns: A count for each model in `owners`.
  /// - Throws: The same errors as ``fetch(_:)``.
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
