public import Foundation

/// Queries a to-many relationship without loading it.
///
/// ```swift
/// let list = trip.related(\.bucketList)
/// let count = try list.count                                     // SELECT COUNT(*) … WHERE "t0"."trip" = ?1
/// let isPlanned = try list.filter(#Predicate { !$0.isInPlan }).isEmpty
/// let first = try list.first(sortedBy: SortDescriptor(\.title))  // … ORDER BY "t0"."title" …
/// let priorities = try list.groups(by: \.priority, computing: .count)
/// ```
///
/// Results equal the relationship's array, including pending changes. They come from the store while the list is not
/// loaded and has no pending changes, otherwise from the array. For a model that has no context or is deleted, they
/// come from the members in memory. Nothing is cached: each call runs a new query. Inside `withObservationTracking`,
/// creating this value counts as reading the property. Not in SwiftData.
public struct RelationshipQuery<Element: PersistentModel> {
  let owner: any PersistentModel
  /// The relationship's slot in the owner's class; -1 if the key path is not a to-many relationship.
  let slot: Int
  /// Returns the relationship's array.
  let members: () -> [Element]
  /// The filter for members, if any.
  var condition: Predicate<Element>?

  /// The number of members.
  ///
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``.
  public var count: Int {
    get throws {
      let descriptor = narrowed(FetchDescriptor())
      guard let request = try request(changesMatter: Self.crosses(descriptor)) else {
        return try loaded(descriptor).count
      }
      if condition == nil {
        return try request.tables.countMembers(request.list, isExistence: false).first ?? 0
      }
      let query = request.query(descriptor)
      return try request.context.ask(request.store) { try request.store.count(query) } ?? loaded(descriptor).count
    }
  }

  /// True if the relationship has no members. The store stops at the first member, unlike for ``count``.
  ///
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``.
  public var isEmpty: Bool {
    get throws {
      guard condition == nil, let request = try request(changesMatter: false) else {
        return try first() == nil
      }
      return try request.tables.countMembers(request.list, isExistence: true).first != 1
    }
  }

  /// Returns a query that is restricted to members that also satisfy a predicate.
  ///
  /// ```swift
  /// let open = trip.related(\.bucketList).filter(#Predicate { !$0.isInPlan })
  /// let count = try open.count
  /// let next = try open.first()
  /// ```
  ///
  /// - Parameter predicate: The condition for members. An earlier filter still applies.
  public func filter(_ predicate: Predicate<Element>) -> RelationshipQuery {
    var narrowed = self
    narrowed.condition = joinedConditions(condition, predicate)
    return narrowed
  }

  /// Fetches the members in list order.
  ///
  /// ```swift
  /// let open = try trip.related(\.bucketList).filter(#Predicate { !$0.isInPlan }).fetch()
  /// ```
  ///
  /// - Returns: The members, registered in the owner's context.
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``.
  public func fetch() throws -> [Element] { try fetch(FetchDescriptor()) }

  /// Fetches the members that match a descriptor. Members that compare equal remain in list order.
  ///
  /// ```swift
  /// var page = FetchDescriptor<BucketListItem>(sortBy: [SortDescriptor(\.title)])
  /// page.fetchLimit = 20
  /// let items = try trip.related(\.bucketList).fetch(page)
  /// ```
  ///
  /// Pending changes are included, even if the descriptor excludes them.
  ///
  /// - Parameter descriptor: The predicate, sort order and limits.
  /// - Returns: The matching members, registered in the owner's context.
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``.
  public func fetch(_ descriptor: FetchDescriptor<Element>) throws -> [Element] {
    let descriptor = narrowed(descriptor)
    guard let request = try request(changesMatter: Self.crosses(descriptor)),
      let table = try? request.context.table(for: Element._$definition)
    else { return try loaded(descriptor) }
    let materializer = ModelMaterializer(table: table)
    let isAnswered: Void? = try request.context.ask(request.store) {
      try materializer.read(request.query(descriptor))
    }
    return isAnswered == nil ? try loaded(descriptor) : materializer.typed(as: Element.self)
  }

  /// Fetches the first member in the sort order or in list order, or returns `nil` if the list is empty.
  ///
  /// ```swift
  /// let first = try trip.related(\.bucketList).first(sortedBy: SortDescriptor(\.title))
  /// // SELECT … WHERE "t0"."trip" = ? ORDER BY "t0"."title" … LIMIT ?
  /// ```
  ///
  /// - Parameter order: The sort descriptors; list order if there are none.
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``.
  public func first(sortedBy order: SortDescriptor<Element>...) throws -> Element? {
    var descriptor = FetchDescriptor<Element>(sortBy: order)
    descriptor.fetchLimit = 1
    return try fetch(descriptor).first
  }

  /// Computes an aggregate over the members, like `ModelContext.aggregate(_:over:)`.
  ///
  /// ```swift
  /// let titles = try trip.related(\.bucketList).aggregate(.countDistinct(\.title))
  /// ```
  ///
  /// - Parameter aggregate: The value to compute.
  /// - Throws: ``AggregateOverflow`` if a sum does not fit; the same errors as ``ModelContext/fetch(_:)``.
  public func aggregate<Value>(_ aggregate: Aggregate<Element, Value>) throws -> Value {
    let plan = GroupPlan(computing: aggregate)
    return try plan.row(of: valueRows(plan)) { try $0.next(aggregate) }
  }

  /// Computes several aggregates over the members with a single query.
  ///
  /// ```swift
  /// let (count, first, last) = try trip.related(\.bucketList).aggregate(
  ///   .count, .minimum(\.title), .maximum(\.title))
  /// ```
  ///
  /// - Parameter aggregates: The values to compute.
  /// - Returns: A value for each aggregate, in argument order.
  /// - Throws: ``AggregateOverflow`` if a sum does not fit; the same errors as ``ModelContext/fetch(_:)``.
  public func aggregate<each Value>(
    _ aggregates: repeat Aggregate<Element, each Value>
  ) throws -> (repeat each Value) {
    let plan = GroupPlan(computing: repeat each aggregates)
    return try plan.row(of: valueRows(plan)) { (repeat try $0.next(each aggregates)) }
  }

  /// Groups the members, like ``ModelContext/groups(of:by:computing:having:orderedBy:limit:)``.
  ///
  /// ```swift
  /// for (priority, count) in try trip.related(\.bucketList).groups(by: \.priority, computing: .count) {
  ///   print("\(priority): \(count)")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - keys: The key paths whose values the members of a group share.
  ///   - aggregates: The aggregates to compute for each group; omit them to return only the keys.
  ///   - having: The condition for included groups. Default: all groups.
  ///   - orderedBy: The sort order, followed by the keys. Default: by the keys.
  ///   - limit: The maximum number of groups.
  /// - Returns: The keys and aggregates of each group.
  /// - Throws: The same errors as ``ModelContext/groups(of:by:computing:having:orderedBy:limit:)``.
  public func groups<each Key, each Value>(
    by keys: repeat KeyPath<Element, each Key>,
    computing aggregates: repeat Aggregate<Element, each Value>,
    having: GroupFilter<Element>? = nil, orderedBy: [GroupOrder<Element>] = [], limit: Int? = nil
  ) throws -> [(repeat each Key, repeat each Value)] {
    let plan = GroupPlan(
      by: repeat each keys, computing: repeat each aggregates, having: having, orderedBy: orderedBy, limit: limit)
    return try plan.rows(of: valueRows(plan)) {
      (repeat try $0.next(each keys), repeat try $0.next(each aggregates))
    }
  }
}

extension PersistentModel {
  /// Returns a query for a to-many relationship. The list is not loaded.
  ///
  /// ```swift
  /// if try trip.related(\.bucketList).isEmpty { print("Nothing planned yet") }
  /// ```
  ///
  /// - Parameter keyPath: The relationship. For other properties with an array of models, the query uses the array.
  public func related<Element: PersistentModel>(
    _ keyPath: KeyPath<Self, [Element]>
  ) -> RelationshipQuery<Element> {
    if _$state.isTracking { _$track(keyPath) }
    return RelationshipQuery(owner: self, slot: listSlot(keyPath)) { self[keyPath: keyPath] }
  }

  /// Returns a query for an optional to-many relationship. The list is not loaded.
  ///
  /// ```swift
  /// let members = try club.related(\.members).count  // 0 if the relationship is `nil`
  /// ```
  ///
  /// - Parameter keyPath: The relationship. For other properties with an array of models, the query uses the array.
  public func related<Element: PersistentModel>(
    _ keyPath: KeyPath<Self, [Element]?>
  ) -> RelationshipQuery<Element> {
    if _$state.isTracking { _$track(keyPath) }
    return RelationshipQuery(owner: self, slot: listSlot(keyPath)) { self[keyPath: keyPath] ?? [] }
  }

  /// Returns the slot of a to-many relationship, or -1 for other key paths.
  private func listSlot(_ keyPath: AnyKeyPath) -> Int {
    let definition = type(of: self)._$definition
    let context = ownerContext
    // A key path literal always evaluates to the same object.
    if let last = context?.state.lastList, last.keyPath === keyPath, last.definition === definition {
      return last.slot
    }
    guard let property = definition.layout.property(for: keyPath), property.kind.isToMany else {
      return -1
    }
    context?.state.lastList = (keyPath, definition, property.slot)
    return property.slot
  }
}

// MARK: execution

/// The execution of relationship queries.
extension RelationshipQuery {
  /// A query that the owner's store can evaluate.
  struct Request {
    let context: ModelContext
    let store: StoreHandle
    let tables: any TableStore
    let list: DataStoreRelatedRequest

    func query(_ descriptor: FetchDescriptor<Element>) -> Query<Element> {
      Query(descriptor, context.editingState, list: list)
    }
  }

  /// Creates a store request. Returns `nil` if the array must be used because it is loaded or differs from the stored
  /// list.
  ///
  /// - Parameters:
  ///   - changesMatter: True if any pending change may alter the result.
  ///   - looks: False if external commits have already been checked.
  func request(changesMatter: Bool, looks: Bool = true) throws -> Request? {
    guard slot >= 0, let context = owner.ownerContext else { return nil }
    try context.readMailbox(looks: looks)
    try context.loadPendingRows()
    guard !owner._$identifier.isTemporary else { return nil }
    if let side = owner._$state.side {
      guard side.phase == .clean || side.phase == .changed,
        side.links.list(slot)?.isLoaded != true
      else { return nil }
    }
    let definition = type(of: owner)._$definition
    let store = try context.table(for: definition).store
    guard let tables = store.sqlStore else { return nil }
    if context.pending.hasChanges {
      guard !changesMatter, slot < definition.relations.toMany.count,
        !context.hasPending(on: owner, definition.relations.toMany[slot], Element.self)
      else { return nil }
    }
    return Request(
      context: context, store: store, tables: tables,
      list: DataStoreRelatedRequest(
        owners: [owner._$identifier], entityName: definition.entityName, slot: slot))
  }

  /// Adds the member filter before the descriptor's predicate.
  private func narrowed(_ descriptor: FetchDescriptor<Element>) -> FetchDescriptor<Element> {
    var descriptor = descriptor
    descriptor.predicate = joinedConditions(condition, descriptor.predicate)
    return descriptor
  }

  private func joinedConditions(_ first: Predicate<Element>?, _ second: Predicate<Element>?) -> Predicate<Element>? {
    guard let first, let second else { return first ?? second }
    return Predicate { element in
      PredicateExpressions.build_Conjunction(
        lhs: PredicateExpressions.build_subscript(PredicateExpressions.build_Arg(first), element),
        rhs: PredicateExpressions.build_subscript(PredicateExpressions.build_Arg(second), element))
    }
  }

  private static func crosses(_ descriptor: FetchDescriptor<Element>) -> Bool {
    guard descriptor.predicate != nil || !descriptor.sortBy.isEmpty else { return false }
    let query = Query(descriptor, EditingState())
    return query.crossesRelationships(hasDeletions: true) || query.sortCrossesRelationships
  }

  /// Returns the array's members that match a descriptor.
  private func loaded(_ descriptor: FetchDescriptor<Element>) throws -> [Element] {
    let filter = descriptor.predicate.map { MemoryFilter($0, owner.ownerContext?.capturedIdentifiers) }
    func matches() throws -> [Element] { try members().filter { try filter?.matches($0) ?? true } }
    var models = try owner.ownerContext?.refusingUnreadValues(matches) ?? matches()
    let orders = descriptor.sortBy.map(RowOrder.init)
    if !orders.isEmpty {
      models = models.enumerated().sorted { lhs, rhs in
        RowOrder.isBefore(lhs.element, rhs.element, orders) ?? (lhs.offset < rhs.offset)
      }.map(\.element)
    }
    let rest = models.dropFirst(max(0, descriptor.fetchOffset ?? 0))
    return Array(rest.prefix(descriptor.fetchLimit.map { max(0, $0) } ?? .max))
  }

  /// Returns the member rows that a plan uses.
  fileprivate func valueRows(_ plan: GroupPlan<Element>) throws -> ValueRows<Element> {
    let descriptor = narrowed(FetchDescriptor())
    let request = try request(changesMatter: Self.crosses(descriptor) || plan.crossesRelationships)
    return ValueRows(stored: request.map { ($0.context, $0.query(descriptor)) }) { body in
      try loaded(descriptor).forEach(body)
    }
  }
}

extension ModelContext {
  /// Returns true if a list or the members' values differ from the stored values.
  fileprivate func hasPending<Member: PersistentModel>(
    on owner: any PersistentModel, _ relation: Relation, _: Member.Type
  ) -> Bool {
    let slot = relation.property.slot
    let identifier = owner._$identifier
    if pending.lists[.init(owner: identifier, slot: slot)] != nil { return true }
    if owner._$state.side?.changedLists.contains(slot) == true { return true }
    guard let inverse = relation.inverse, !inverse.kind.isToMany else {
      guard let table = try? table(for: Member._$definition) else { return true }
      return pending.touches(Member.self, table)
    }
    return pending.models.contains { model in
      guard let model = model as? Member else { return false }
      let codec = type(of: model)._$definition.codec
      return codec.reference(inverse.slot, of: model) == identifier
        || model._$state.side?.committed?.reference(inverse.slot) == identifier
    }
  }
}
