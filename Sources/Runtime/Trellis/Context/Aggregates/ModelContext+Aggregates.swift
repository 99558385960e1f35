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
    try single(GroupPlan.of(aggregate), descriptor)
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
    try single(GroupPlan.of(repeat each aggregates), descriptor)
  }

  /// Groups the models a descriptor describes and computes aggregates of each group.
  ///
  ///     let summary = try context.groups(
  ///       of: FetchDescriptor<Trip>(predicate: #Predicate { $0.budget > 0 }),
  ///       by: \.destination, computing: .count, .sum(\.budget),
  ///       having: .count > 1, orderedBy: [.descending(.count)], limit: 10)
  ///     for (destination, trips, budget) in summary { … }
  ///     // SELECT "t0"."destination", count(*), … FROM "Trip" AS "t0" WHERE …
  ///     // GROUP BY "t0"."destination" HAVING count(*) > ? ORDER BY count(*) DESC, … LIMIT 10
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
    var plan = GroupPlan.of(
      sources: (repeat KeySource(keyPath: each keys)), aggregates: (repeat each aggregates))
    plan.having = having
    plan.order = orderedBy
    plan.limit = limit
    let pass = GroupPass(context: self, query: Query(descriptor, editingState), plan: plan)
    return try querying(.fetch) { try pass.rows() }
  }

  private func single<T: PersistentModel, Row>(
    _ plan: GroupPlan<T, Row>, _ descriptor: FetchDescriptor<T>
  ) throws -> Row {
    let pass = GroupPass(context: self, query: Query(descriptor, editingState), plan: plan)
    return try querying(.fetch) { try pass.row() }
  }
}

extension GroupPass {
  /// The one row of a plan without keys.
  func row() throws -> Row {
    guard let row = try rows().first else { throw DataStoreError.unsupportedFeature }
    return row
  }
}

extension Aggregate {
  /// The aggregate whatever its value is.
  var erased: GroupSource<Model> {
    func open<S: AggregateSource<Model, Value>>(_ source: S) -> GroupSource<Model> {
      GroupSource(source)
    }
    return open(source)
  }
}

extension GroupPlan {
  /// A plan without keys.
  static func of<each Value>(
    _ aggregates: repeat Aggregate<Model, each Value>
  ) -> GroupPlan<Model, (repeat each Value)> where Row == (repeat each Value) {
    let all = (repeat each aggregates)
    var plan = GroupPlan<Model, (repeat each Value)> {
      let cells = (repeat (each all).source.makeCell())
      var list: [any GroupCell<Model>] = []
      for cell in repeat each cells { list.append(cell) }
      return (list, { (repeat try (each cells).value()) })
    }
    for aggregate in repeat each all { plan.values.append(aggregate.erased) }
    return plan
  }

  /// A plan with keys.
  static func of<each Key, each Value>(
    sources: (repeat KeySource<Model, each Key>),
    aggregates: (repeat Aggregate<Model, each Value>)
  ) -> GroupPlan<Model, (repeat each Key, repeat each Value)>
  where Row == (repeat each Key, repeat each Value) {
    var plan = GroupPlan<Model, (repeat each Key, repeat each Value)> {
      let keys = (repeat (each sources).makeCell())
      let values = (repeat (each aggregates).source.makeCell())
      var list: [any GroupCell<Model>] = []
      for cell in repeat each keys { list.append(cell) }
      for cell in repeat each values { list.append(cell) }
      return (list, { (repeat try (each keys).value(), repeat try (each values).value()) })
    }
    for source in repeat each sources {
      plan.keys.append(GroupSource(source))
      plan.keyPaths.append(source.keyPath)
      plan.keyOf.append { try source.key($0) }
    }
    for aggregate in repeat each aggregates { plan.values.append(aggregate.erased) }
    return plan
  }
}
