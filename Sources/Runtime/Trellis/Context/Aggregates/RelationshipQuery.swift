public import Foundation

/// A to-many relationship that can be asked something without being loaded.
///
///     let list = trip.related(\.bucketList)
///     try list.count                                             // SELECT count(*) … WHERE "trip" = ?
///     try list.filter(#Predicate { !$0.isInPlan }).isEmpty
///     try list.first(sortedBy: SortDescriptor(\.title))          // … ORDER BY "title" LIMIT 1
///     try list.aggregate(.sum(\.cost))
///
/// It answers as the relationship's own array would, pending changes included: from the store while
/// the list is not loaded and nothing is pending on it, from the array otherwise, and from what is
/// known to a model that has no context or is deleted. Nothing is kept: each question is asked
/// anew. Inside `withObservationTracking` the property counts as read where the handle is made. Not
/// in SwiftData.
public struct RelationshipQuery<Element: PersistentModel> {
  let owner: any PersistentModel
  /// Among the to-many relationships of the owner's class; -1 for what is no relationship.
  let slot: Int
  /// The array itself.
  let members: () -> [Element]
  /// What members satisfy; nil if there is no filter.
  var condition: Predicate<Element>?

  /// How many members there are.
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

  /// Whether there is no member.
  public var isEmpty: Bool {
    get throws {
      guard condition == nil, let request = try request(changesMatter: false) else {
        return try first() == nil
      }
      return try request.tables.countMembers(request.list, isExistence: true).first != 1
    }
  }

  /// The members that satisfy a predicate, too.
  public func filter(_ predicate: Predicate<Element>) -> RelationshipQuery {
    var narrowed = self
    narrowed.condition = joinedConditions(condition, predicate)
    return narrowed
  }

  /// The members in the order of the list.
  ///
  /// - Throws: as ``ModelContext/fetch(_:)``.
  public func fetch() throws -> [Element] { try fetch(FetchDescriptor()) }

  /// The members a descriptor describes; those it does not tell apart are in the order of the list.
  ///
  /// Pending changes count, also if the descriptor excludes them.
  ///
  /// - Throws: as ``ModelContext/fetch(_:)``.
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

  /// The first member in an order, or in that of the list; nil if the list is empty.
  ///
  /// - Throws: as ``ModelContext/fetch(_:)``.
  public func first(sortedBy order: SortDescriptor<Element>...) throws -> Element? {
    var descriptor = FetchDescriptor<Element>(sortBy: order)
    descriptor.fetchLimit = 1
    return try fetch(descriptor).first
  }

  /// One aggregate over the members. As `ModelContext.aggregate(_:over:)`.
  ///
  /// - Throws: ``AggregateOverflow`` if a sum does not fit, and as ``ModelContext/fetch(_:)``.
  public func aggregate<Value>(_ aggregate: Aggregate<Element, Value>) throws -> Value {
    let plan = GroupPlan(computing: aggregate)
    return try plan.row(of: valueRows(plan)) { try $0.next(aggregate) }
  }

  /// Several aggregates over the members, with one query.
  ///
  /// - Throws: ``AggregateOverflow`` if a sum does not fit, and as ``ModelContext/fetch(_:)``.
  public func aggregate<each Value>(
    _ aggregates: repeat Aggregate<Element, each Value>
  ) throws -> (repeat each Value) {
    let plan = GroupPlan(computing: repeat each aggregates)
    return try plan.row(of: valueRows(plan)) { (repeat try $0.next(each aggregates)) }
  }

  /// Groups of the members. As ``ModelContext/groups(of:by:computing:having:orderedBy:limit:)``.
  ///
  /// - Throws: ``AggregateOverflow`` if a sum does not fit, and as ``ModelContext/fetch(_:)``.
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
  /// A to-many relationship to be asked something without loading it.
  ///
  ///     if try !trip.related(\.bucketList).isEmpty { … }
  public func related<Element: PersistentModel>(
    _ keyPath: KeyPath<Self, [Element]>
  ) -> RelationshipQuery<Element> {
    if _$state.isTracking { _$track(keyPath) }
    return RelationshipQuery(owner: self, slot: listSlot(keyPath)) { self[keyPath: keyPath] }
  }

  /// An optional to-many relationship to be asked something without loading it.
  public func related<Element: PersistentModel>(
    _ keyPath: KeyPath<Self, [Element]?>
  ) -> RelationshipQuery<Element> {
    if _$state.isTracking { _$track(keyPath) }
    return RelationshipQuery(owner: self, slot: listSlot(keyPath)) { self[keyPath: keyPath] ?? [] }
  }

  /// The number of a to-many relationship; -1 for other key paths.
  private func listSlot(_ keyPath: AnyKeyPath) -> Int {
    let definition = type(of: self)._$definition
    let context = ownerContext
    // A key path that is spelled out is one object, however often it is met.
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

// MARK: answers

/// Where a handle finds its answers.
extension RelationshipQuery {
  /// A question that the store of the owner can answer.
  struct Request {
    let context: ModelContext
    let store: StoreHandle
    let tables: any TableStore
    let list: DataStoreRelatedRequest

    func query(_ descriptor: FetchDescriptor<Element>) -> Query<Element> {
      Query(descriptor, context.editingState, list: list)
    }
  }

  /// Nil when the array has to be asked: it is loaded, or not what is stored.
  ///
  /// - Parameters:
  ///   - changesMatter: whether any pending change may alter the answer.
  ///   - looks: False after a look for the commits of others.
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

  /// A descriptor with the condition of the members in front of its own.
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

  /// The members of the array that a descriptor describes.
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

  /// The rows of the members that a plan computes with.
  fileprivate func valueRows(_ plan: GroupPlan<Element>) throws -> ValueRows<Element> {
    let descriptor = narrowed(FetchDescriptor())
    let request = try request(changesMatter: Self.crosses(descriptor) || plan.crossesRelationships)
    return ValueRows(stored: request.map { ($0.context, $0.query(descriptor)) }) { body in
      try loaded(descriptor).forEach(body)
    }
  }
}

extension ModelContext {
  /// Whether a list, or the values of its members, differ from what is stored.
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
