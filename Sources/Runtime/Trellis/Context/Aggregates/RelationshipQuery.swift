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
  var filters: [Predicate<Element>] = []

  /// How many members there are.
  public var count: Int {
    get throws {
      guard let request = try request(changesMatter: filtersCross) else {
        return try loaded().count
      }
      if filters.isEmpty {
        return try request.store.countMembers(request.list, isExistence: false).first ?? 0
      }
      let query = request.query(FetchDescriptor(), filters)
      return try request.context.ask(request.store) { try request.store.count(query) } ?? loaded().count
    }
  }

  /// Whether there is no member.
  public var isEmpty: Bool {
    get throws {
      guard filters.isEmpty, let request = try request(changesMatter: false) else {
        return try first() == nil
      }
      return try request.store.countMembers(request.list, isExistence: true).first != 1
    }
  }

  /// The members that satisfy a predicate, too.
  public func filter(_ predicate: Predicate<Element>) -> RelationshipQuery {
    var narrowed = self
    narrowed.filters.append(predicate)
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
    let isCrossing = filtersCross || Self.crosses(descriptor)
    guard let request = try request(changesMatter: isCrossing),
      let table = try? request.context.table(for: Element._$definition)
    else { return try loaded(descriptor) }
    let materializer = ModelMaterializer(table: table)
    let isAnswered: Void? = try request.context.ask(request.store) {
      try request.store.rows(request.query(descriptor, filters), into: materializer)
    }
    return isAnswered == nil ? try loaded(descriptor) : materializer.typed(as: Element.self)
  }

  /// The first member in an order, or in that of the list; nil if there is none.
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
    let rows = try rows(GroupPlan.of(aggregate))
    guard let row = rows.first else { throw DataStoreError.unsupportedFeature }
    return row
  }

  /// Several aggregates over the members, with one query.
  ///
  /// - Throws: ``AggregateOverflow`` if a sum does not fit, and as ``ModelContext/fetch(_:)``.
  public func aggregate<each Value>(
    _ aggregates: repeat Aggregate<Element, each Value>
  ) throws -> (repeat each Value) {
    let rows = try rows(GroupPlan.of(repeat each aggregates))
    guard let row = rows.first else { throw DataStoreError.unsupportedFeature }
    return row
  }

  /// Groups of the members. As ``ModelContext/groups(of:by:computing:having:orderedBy:limit:)``.
  ///
  /// - Throws: ``AggregateOverflow`` if a sum does not fit, and as ``ModelContext/fetch(_:)``.
  public func groups<each Key, each Value>(
    by keys: repeat KeyPath<Element, each Key>,
    computing aggregates: repeat Aggregate<Element, each Value>,
    having: GroupFilter<Element>? = nil, orderedBy: [GroupOrder<Element>] = [], limit: Int? = nil
  ) throws -> [(repeat each Key, repeat each Value)] {
    var plan = GroupPlan.of(
      sources: (repeat KeySource(keyPath: each keys)), aggregates: (repeat each aggregates))
    plan.having = having
    plan.order = orderedBy
    plan.limit = limit
    return try rows(plan)
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
    if let last = context?.lastList, last.keyPath === keyPath, last.definition === definition {
      return last.slot
    }
    guard let property = definition.layout.property(for: keyPath), property.kind.isToMany else {
      return -1
    }
    context?.lastList = (keyPath, definition, property.slot)
    return property.slot
  }
}
