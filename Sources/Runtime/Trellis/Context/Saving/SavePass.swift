typealias SaveResult = DataStoreSaveChangesResult<DefaultSnapshot>

/// Performs a single save: begins the stores' transactions, plans the save within them, writes to all stores, commits,
/// and updates the models.
final class SavePass {
  private let context: ModelContext
  /// The transactions, in the order in which they begin. The order is the same in all processes.
  private var transactions: [(store: StoreHandle, transaction: any StoreTransaction)] = []
  /// The pending changes before delete rules are applied, for restoring them.
  private var before: PendingState?
  private let remapping = IdentifierRemapping()

  init(_ context: ModelContext) throws {
    self.context = context
    let stores = context.core.stores.count == 1 ? context.core.stores : context.pending.stores(in: context.core)
    for store in stores where store.allowsSave {
      let readsFirst = stores.count > 1 || context.pending.hasDeletions
      transactions.append((store, store.makeTransaction(readsFirst: readsFirst)))
    }
    // A custom store writes last and commits first, so that the remaining stores can still roll back.
    transactions.sort {
      ($0.store.isRelational ? 0 : 1, $0.store.identifier) < ($1.store.isRelational ? 0 : 1, $1.store.identifier)
    }
  }

  /// Saves and returns the notification's `userInfo`, or `nil` if there were no changes left to save.
  func run() throws -> [AnyHashable: Any]? {
    var plan: SavePlan?
    var results: [Int: SaveResult] = [:]
    do {
      defer { for (_, transaction) in transactions { transaction.end() } }
      try begin()
      guard context.hasChanges || !context.pending.dropped.isEmpty else { return nil }
      plan = try makePlan()
      if let plan { try write(plan, &results) }
    } catch {
      if let plan, !results.isEmpty {
        try SaveCompletion(context, plan).run(results, isPartial: true)
        let saved = plan.parts.indices.filter { results[$0] != nil }.map { plan.parts[$0].store.configurationName }
        throw SwiftDataError.partialSave.listing(saved, error)
      }
      before?.restore(context)
      before = nil
      guard try transactions.contains(where: { try $0.transaction.canRepeat(after: error) }) else { throw error }
      return try run()
    }
    guard let plan else { return nil }
    let completion = SaveCompletion(context, plan)
    try completion.run(results)
    context.undo?.register()
    return completion.notificationInfo
  }

  /// Begins the transactions and updates the models with external commits.
  private func begin() throws {
    let readings = transactions.map(\.transaction.commitReading)
    if readings.isEmpty || readings.contains(.before) { try context.readMailbox() }
    for (_, transaction) in transactions { try transaction.begin() }
    if readings.contains(.inside) { try context.readMailbox() }
    if readings == [.afterFailure] { try context.readMailbox(looks: false) }
  }

  private func makePlan() throws -> SavePlan {
    context.state.keepAlive = []
    context.state.ahead.removeAll()
    try context.state.failedReads.check()
    try context.resolveUnreadEnds()
    // Delete rules change models, which must be restored if the save fails.
    if context.pending.hasDeletions { before = PendingState(context) }
    return try SavePlan(context)
  }

  /// Writes to all stores, then commits.
  ///
  /// - Parameter results: The results of committed stores, by position of the part. Also set if this function throws.
  private func write(_ plan: SavePlan, _ results: inout [Int: SaveResult]) throws {
    let parts = plan.parts
    for part in parts where part.request != nil { try part.store.requireSaving() }
    let writing = transactions.compactMap { store, transaction in
      parts.firstIndex { $0.store === store && $0.request != nil }.map { (position: $0, transaction: transaction) }
    }
    for (position, transaction) in writing {
      guard let request = parts[position].request else { continue }
      try calling(parts[position].store) { try transaction.write(request, commitsNext: writing.count == 1) }
    }
    for (position, transaction) in writing.reversed() {
      results[position] = try calling(parts[position].store) { try transaction.commit() }
    }
  }

  /// Calls a store, which may be app code.
  private func calling<Result>(_ store: StoreHandle, _ body: () throws -> Result) throws -> Result {
    if store.isRelational { return try body() }
    let wasInStore = context.state.isInStore
    context.state.isInStore = true
    defer { context.state.isInStore = wasInStore }
    return try context.core.withScope { try IdentifierRemapping.$current.withValue(remapping) { try body() } }
  }
}

extension PendingChanges {
  /// Returns the stores of pending models. Relationships do not cross stores.
  fileprivate func stores(in core: ContainerCore) -> [StoreHandle] {
    var names = Set(models.map { type(of: $0)._$definition.entityName })
    for group in rows { names.insert(group.definition.entityName) }
    return core.stores.filter { !$0.entityNames.isDisjoint(with: names) }
  }
}
