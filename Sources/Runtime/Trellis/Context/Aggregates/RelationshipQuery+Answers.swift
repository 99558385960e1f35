import Foundation

/// Where a handle finds its answers.
extension RelationshipQuery {
  /// A question that the store of the owner can answer.
  struct Request {
    let context: ModelContext
    let store: StoreHandle
    let list: DataStoreRelatedRequest

    func query(
      _ descriptor: FetchDescriptor<Element>, _ filters: [Predicate<Element>]
    ) -> Query<Element> {
      Query(descriptor, list.editingState, list: list, filters: filters.isEmpty ? nil : filters)
    }
  }

  /// Nil when the array has to be asked: it is loaded, or not what is stored.
  ///
  /// - Parameter changesMatter: whether any pending change may alter the answer.
  func request(changesMatter: Bool) throws -> Request? {
    guard slot >= 0, let context = owner.ownerContext else { return nil }
    try context.readMailbox()
    try context.loadPendingRows()
    guard !owner._$identifier.isTemporary else { return nil }
    if let side = owner._$state.side {
      guard side.phase == .clean || side.phase == .changed,
        side.links.list(slot)?.isLoaded != true
      else { return nil }
    }
    let definition = type(of: owner)._$definition
    let store = try context.table(for: definition).store
    guard store.countsLists else { return nil }
    if context.pending.hasChanges {
      guard !changesMatter, slot < definition.relations.toMany.count,
        !context.hasPending(on: owner, definition.relations.toMany[slot], Element.self)
      else { return nil }
    }
    return Request(
      context: context, store: store,
      list: DataStoreRelatedRequest(
        owners: [owner._$identifier], entityName: definition.entityName, slot: slot,
        editingState: context.editingState))
  }

  var filtersCross: Bool { !filters.isEmpty && filters.contains(where: Self.crosses) }

  static func crosses(_ predicate: Predicate<Element>) -> Bool {
    let shape = PredicateShape(predicate)
    return shape.crossesRelationships || shape.readsReferences
  }

  static func crosses(_ descriptor: FetchDescriptor<Element>) -> Bool {
    if let predicate = descriptor.predicate, crosses(predicate) { return true }
    return descriptor.sortBy.contains { sort in
      guard let keyPath = sort.keyPath else { return false }
      return SortPath.of(keyPath, Element._$definition)?.hops.isEmpty != true
    }
  }

  /// The members of the array a descriptor describes.
  func loaded(_ descriptor: FetchDescriptor<Element> = FetchDescriptor()) throws -> [Element] {
    let identifiers = owner.ownerContext?.capturedIdentifiers
    let predicates = (filters + (descriptor.predicate.map { [$0] } ?? [])).map { MemoryFilter($0, identifiers) }
    func matches() throws -> [Element] {
      try members().filter { model in try predicates.allSatisfy { try $0.matches(model) } }
    }
    var models = try owner.ownerContext?.refusingUnreadValues(matches) ?? matches()
    let orders = descriptor.sortBy.map(RowOrder.init)
    if !orders.isEmpty {
      models = models.enumerated().sorted { lhs, rhs in
        for order in orders {
          switch order.compare(lhs.element, rhs.element) {
          case .orderedAscending: return true
          case .orderedDescending: return false
          case .orderedSame: continue
          }
        }
        return lhs.offset < rhs.offset
      }.map(\.element)
    }
    let rest = models.dropFirst(max(0, descriptor.fetchOffset ?? 0))
    guard let limit = descriptor.fetchLimit else { return Array(rest) }
    return Array(rest.prefix(max(0, limit)))
  }

  /// The groups of a plan over the members.
  func rows<Row>(_ plan: GroupPlan<Element, Row>) throws -> [Row] {
    try plan.check()
    if let limit = plan.limit, limit <= 0 { return [] }
    if let request = try request(changesMatter: filtersCross || plan.crossesRelationships) {
      let query = request.query(FetchDescriptor(), filters)
      let pass = GroupPass(context: request.context, query: query, plan: plan)
      if let rows = try pass.fromStore() { return rows }
    }
    return try plan.rows(of: loaded())
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
    return pending.everything.contains { model in
      guard let model = model as? Member else { return false }
      let codec = type(of: model)._$definition.codec
      return codec.reference(inverse.slot, of: model) == identifier
        || model._$state.side?.committed?.reference(inverse.slot) == identifier
    }
  }
}
