import Foundation

/// One question for groups in a context: asks the store, or goes through the models.
struct GroupPass<Model: PersistentModel, Row> {
  let context: ModelContext
  let query: Query<Model>
  let plan: GroupPlan<Model, Row>

  func rows() throws -> [Row] {
    try plan.check()
    if let limit = plan.limit, limit <= 0 { return [] }
    if try !mustMerge, let rows = try fromStore() { return rows }
    guard context.pending.hasChanges, !query.descriptor.includePendingChanges else {
      return try plan.rows(of: FetchPass(context: context, descriptor: query.descriptor).models())
    }
    return try context.withStoredValues { stored in
      try stored.refusingUnreadValues { try GroupPass(context: stored, query: query, plan: plan).rows() }
    }
  }

  /// Whether pending changes may alter the result.
  private var mustMerge: Bool {
    get throws {
      guard context.pending.hasChanges, query.descriptor.includePendingChanges, query.list == nil else {
        return false
      }
      return try plan.crossesRelationships
        || FetchPass(context: context, descriptor: query.descriptor).mustMerge
    }
  }

  // MARK: the store

  /// Nil when the store leaves the work to the context.
  func fromStore() throws -> [Row]? {
    do {
      return try fromStore(isWide: false)
    } catch let error as SQLiteError where error.isIntegerOverflow {
      // A sum on its way: the total may fit all the same.
      return try fromStore(isWide: true)
    }
  }

  private func fromStore(isWide: Bool) throws -> [Row]? {
    let table = try context.table(for: Model._$definition)
    let state = plan.makeState()
    var found: [(row: Row, keys: [SQLValue])] = []
    var select = AggregateSelect(columns: [])
    let isAnswered = try context.ask(table.store) {
      do {
        return try table.store.summarize(query, isWide: isWide) { sql in
          select = try plan.select(&sql)
          return select
        } row: { row in
          try state.read(&row, select)
          guard try select.having != nil || state.passes else { return }
          found.append((try state.row(), select.isOrdered ? [] : try state.orderKeys()))
        }
      } catch let error as UnreadableColumn {
        try error.throwLocated(among: query, in: table.store)
        return false
      }
    }
    guard isAnswered == true else { return nil }
    if !select.isOrdered { found.sort { plan.isBefore($0.keys, $1.keys) } }
    return found.prefix(plan.limit ?? found.count).map(\.row)
  }
}

extension SQLiteError {
  /// Whether a sum of integers has left 64 bits.
  fileprivate var isIntegerOverflow: Bool { extendedCode == 1 && message == "integer overflow" }
}
