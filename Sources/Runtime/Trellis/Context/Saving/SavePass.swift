typealias SaveResult = DataStoreSaveChangesResult<DefaultSnapshot>

/// One save: begins the transactions of the stores, plans inside them, writes to all stores, commits, and completes the
/// models.
final class SavePass {
  private let context: ModelContext
  /// In the order of their beginning, which is the same for all programs.
  private var transactions: [(store: StoreHandle, transaction: any StoreTransaction)] = []
  /// The pending changes without the consequences of delete rules, to return to.
  private var before: PendingState?
  private let remapping = IdentifierRemapping()

  init(_ context: ModelContext) throws {
    self.context = context
    let stores = context.core.stores.count == 1 ? context.core.stores : context.pending.stores(in: context.core)
    for store in stores where store.allowsSave {
      let readsFirst = stores.count > 1 || context.pending.hasDeletions
      transactions.append((store, try store.makeTransaction(readsFirst: readsFirst)))
    }
    // A custom store writes last and commits first, so that the others can still roll back.
    transactions.sort {
      ($0.store.isRelational ? 0 : 1, $0.store.identifier) < ($1.store.isRelational ? 0 : 1, $1.store.identifier)
    }
  }

  /// Saves and returns the contents of the notification; nil if nothing was left to save.
  func run() throws -> [AnyHashable: Any]? {
    guard let completion = try attempt() else { return nil }
    context.monitor?.undo?.register()
    return completion.notificationInfo
  }

  private func attempt() throws -> SaveCompletion? {
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
        throw try SaveCompletion(context, plan).completePartially(results, error)
      }
      before?.restore(context)
      before = nil
      for (_, transaction) in transactions where try transaction.canRepeat(after: error) { return try attempt() }
      throw error
    }
    guard let plan else { return nil }
    let completion = SaveCompletion(context, plan)
    try completion.complete(results)
    return completion
  }

  /// Begins the transactions and brings the models up to date with the commits of others.
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
    try context.settleUnreadEnds()
    // Delete rules change models. If the save fails, the models have to be as they were.
    if context.pending.hasDeletions { before = PendingState(context) }
    return try SavePlan(context)
  }

  /// Writes to all stores, then commits.
  ///
  /// - Parameter results: the results of the stores that have committed, by position of the part, also if this throws.
  private func write(_ plan: SavePlan, _ results: inout [Int: SaveResult]) throws {
    let parts = plan.parts
    for part in parts where part.request != nil && !part.store.allowsSave {
      throw SwiftDataError.loadIssueModelContainer.explained(
        "the store '\(part.store.configurationName)' does not allow saving")
    }
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

  /// Calls a store, which may be code of the program.
  private func calling<Result>(_ store: StoreHandle, _ body: () throws -> Result) throws -> Result {
    let wasInStore = context.state.isInStore
    if store.savesByForeignCode { context.state.isInStore = true }
    defer { if context.state.isInStore != wasInStore { context.state.isInStore = wasInStore } }
    return try context.core.withScope { try IdentifierRemapping.$current.withValue(remapping) { try body() } }
  }
}

extension PendingChanges {
  /// The stores of the pending models. Relationships do not lead from one store to another.
  fileprivate func stores(in core: ContainerCore) -> [StoreHandle] {
    var names = Set(everything.map { type(of: $0)._$definition.entityName })
    for group in rows { names.insert(group.definition.entityName) }
    return core.stores.filter { !$0.entityNames.isDisjoint(with: names) }
  }
}
