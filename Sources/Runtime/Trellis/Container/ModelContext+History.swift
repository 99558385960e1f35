import Foundation

extension ModelContext {
  /// The transactions in the histories of the container's stores that match.
  ///
  ///     var latest = HistoryDescriptor<DefaultHistoryTransaction>(
  ///       sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
  ///     latest.fetchLimit = 1
  ///     let token = try context.fetchHistory(latest).first?.token
  ///
  /// The stores answer whose history has that form; ask once for each form where a container has stores of
  /// several.
  ///
  /// Those of one store come in the order it gives them; those of several are put in the order the
  /// descriptor asks for, by time when it asks for none. Then the token of each holds the position it has
  /// reached in every store, so that one of them is enough to continue from.
  ///
  /// - Throws: ``DataStoreError/unsupportedFeature`` when no store of the container is
  ///   ``HistoryProviding`` with such transactions; what the stores throw.
  public func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T] {
    var found: [[T]] = []
    // Before anything is read: what is forgotten meanwhile is not passed over.
    let floors = core.stores.count > 1 ? try historyReaches().mapValues(\.floor) : [:]
    for store in core.stores {
      if let some = try core.withScope({ try store.fetchHistory(descriptor) }) {
        found.append(some)
      }
    }
    guard let first = found.first else { throw DataStoreError.unsupportedFeature }
    guard found.count > 1 else { return first }
    var merged = HistoryPositions.merged(found)
    if let own = merged as? [DefaultHistoryTransaction],
      let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction>
    {
      var beginnings: [String: HistoryPosition] = [:]
      for store in core.stores {
        beginnings[store.identifier] =
          HistoryQuery(descriptor, store: store.identifier).beginnings.min()
      }
      merged = HistoryPositions.joined(own, after: beginnings, floors) as? [T] ?? merged
    }
    if !descriptor.sortBy.isEmpty { merged.sort(by: descriptor.sortBy) }
    guard descriptor.fetchLimit > 0 else { return merged }
    return Array(merged.prefix(Int(clamping: descriptor.fetchLimit)))
  }

  /// Forgets the transactions that match, in every store that has such transactions. Models stay.
  ///
  ///     try context.deleteHistory(
  ///       HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token < done }))
  ///
  /// Tokens of positions before the last one that was forgotten are expired then. With a
  /// ``HistoryDescriptor/fetchLimit``, those are forgotten that ``fetchHistory(_:)`` finds, also in several stores.
  ///
  /// - Throws: ``DataStoreError/unsupportedFeature`` when no store of the container is
  ///   ``HistoryProviding`` with such transactions; what the stores throw.
  public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
    var isAnswered = false
    var descriptor = descriptor
    let isDivided = descriptor.fetchLimit > 0 && core.stores.count > 1
    // Those of each store come in the order it gives them, so it is the first ones that are among them.
    let found = isDivided ? try fetchHistory(descriptor) : []
    for store in core.stores {
      if isDivided {
        isAnswered = true
        descriptor.fetchLimit = UInt64(found.count { $0.storeIdentifier == store.identifier })
        if descriptor.fetchLimit == 0 { continue }
      }
      if try core.withScope({ try store.deleteHistory(descriptor) }) { isAnswered = true }
    }
    guard isAnswered else { throw DataStoreError.unsupportedFeature }
  }
}

/// The positions of several stores in one token.
enum HistoryPositions {
  /// The transactions of several stores in the order of time; those of one store stay in the order in which
  /// they were saved, whatever its clock said.
  static func merged<T: HistoryTransaction>(_ stores: [[T]]) -> [T] {
    var timed: [(time: Date, transaction: T)] = []
    for transactions in stores {
      var time = Date.distantPast
      for transaction in transactions.sorted(by: { $0.token < $1.token }) {
        time = max(time, transaction.timestamp)
        timed.append((time, transaction))
      }
    }
    return timed.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element.transaction)
  }

  /// Gives the transactions of several stores, in the order of time, tokens that hold the position in each.
  ///
  /// Of a store that comes later the position is that before its first transaction here: nothing of it is
  /// passed over.
  ///
  /// - Parameters:
  ///   - beginnings: the positions that were asked from, by store, where that is known.
  ///   - floors: the positions from which on the stores remember everything, by store.
  static func joined(
    _ transactions: [DefaultHistoryTransaction], after beginnings: [String: HistoryPosition],
    _ floors: [String: HistoryPosition]
  ) -> [DefaultHistoryTransaction] {
    var positions: [String: HistoryPosition] = [:]
    for transaction in transactions.reversed() {
      positions[transaction.storeIdentifier] = transaction.token[transaction.storeIdentifier]?.before
    }
    positions.merge(beginnings) { _, asked in asked }
    positions.merge(floors) { known, _ in known }
    return transactions.map { transaction in
      let store = transaction.storeIdentifier
      if let own = transaction.token[store] { positions[store] = positions[store].map { max($0, own) } ?? own }
      var transaction = transaction
      if let token = DefaultHistoryToken(positions) { transaction.token = token }
      return transaction
    }
  }
}

extension ModelContext {
  /// What there is of the histories of the library's own stores, by identifier.
  func historyReaches() throws -> [String: HistoryReach] {
    var reaches: [String: HistoryReach] = [:]
    for store in core.stores {
      if let reach = try core.withScope({ try store.historyReach() }) { reaches[store.identifier] = reach }
    }
    return reaches
  }
}
