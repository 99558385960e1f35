import Foundation

/// What the default stores of a container remember, seen from one of its contexts. Not in SwiftData.
///
///     let news = try context.history.changes(since: token)
///     for change in news.changes { … }
///     token = news.token
public struct ModelHistory {
  let context: ModelContext

  /// The net change of every object since a token.
  ///
  /// An object that was inserted and then changed is one insertion. One that was changed three times is one update with
  /// all the properties. One that was inserted and deleted is omitted. A deleted one is a deletion with its preserved
  /// values. So a program that copies changes calls this once, copies the result and saves the token.
  ///
  ///     let news = try context.history.changes(since: token, excludingAuthors: ["sync"])
  ///     for change in news.changes {
  ///       switch change {
  ///       case .insert(let insert as DefaultHistoryInsert<Trip>): push(insert.changedPersistentIdentifier)
  ///       case .update(let update as DefaultHistoryUpdate<Trip>):
  ///         push(update.changedPersistentIdentifier, update.updatedAttributes)
  ///       case .delete(let delete as DefaultHistoryDelete<Trip>): remove(delete.tombstone[\.id])
  ///       default: break
  ///       }
  ///     }
  ///
  /// - Parameters:
  ///   - token: The token; nil for the beginning of the history. ``NetChanges/isComplete`` is then false if transactions
  ///     were deleted.
  ///   - models: The classes to report, each with its derived classes; empty for all.
  ///   - authors: The authors whose changes are excluded, such as that of the program's own copies. An object that they
  ///     have deleted is omitted, and so is a property that only they have changed.
  /// - Throws: as ``ModelContext/fetchHistory(_:)``, ``SwiftDataError/historyTokenExpired`` among it.
  public func changes(
    since token: DefaultHistoryToken? = nil, of models: [any PersistentModel.Type] = [],
    excludingAuthors authors: Set<String> = []
  ) throws -> NetChanges {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    if let token { descriptor.predicate = #Predicate { $0.token > token } }
    let floors = token == nil ? try context.historyReaches().mapValues(\.floor) : [:]
    let transactions = try context.fetchHistory(descriptor)
    let isWhole = try token != nil || context.historyReaches().values.allSatisfy { $0.floor == .beginning }
    var fold = HistoryFold(models.map { $0._$definition })
    for transaction in transactions {
      let isForeign = transaction.author.map(authors.contains) ?? false
      for change in transaction.changes { fold.add(change, isForeign: isForeign) }
    }
    return NetChanges(
      changes: fold.changes,
      token: Self.joined(
        token ?? DefaultHistoryToken(floors.filter { $0.value > .beginning }), transactions.last?.token),
      isComplete: isWhole && transactions.allSatisfy(\.isComplete))
  }

  /// The position that the histories have reached now; nil when no store of the container has one.
  ///
  /// Before reading all models again, ask for the position: changes after it are then new. The token of the last
  /// transaction says the same, unless that transaction was deleted or none was ever recorded.
  ///
  ///     token = try context.history.latestToken()
  ///     try readEverything(context.fetch(FetchDescriptor<Trip>()))
  ///
  /// - Throws: what the stores throw.
  public func latestToken() throws -> DefaultHistoryToken? {
    try DefaultHistoryToken(context.historyReaches().mapValues(\.last))
  }

  /// The later position in every store that one of the two knows.
  private static func joined(
    _ before: DefaultHistoryToken?, _ now: DefaultHistoryToken?
  ) -> DefaultHistoryToken? {
    var positions = before?.positions ?? [:]
    positions.merge(now?.positions ?? [:], uniquingKeysWith: max)
    return DefaultHistoryToken(positions)
  }
}

/// What has become of objects between two positions of a history. Not in SwiftData.
public struct NetChanges: Sendable {
  /// One change of each object: insertions, updates, deletions, each in the order in which they first
  /// happened.
  public let changes: [HistoryChange]
  /// The position to continue from; nil where nothing was ever recorded.
  public let token: DefaultHistoryToken?
  /// False if a transaction does not name all its changes, see ``DefaultHistoryTransaction/isComplete``, or if the request
  /// has no token and the beginning of the history was deleted. The program must then compare all objects.
  public let isComplete: Bool
}

extension ModelContext {
  /// What the default stores of the container remember. Not in SwiftData.
  public var history: ModelHistory { ModelHistory(context: self) }
}

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
    // Before anything is read: what is forgotten meanwhile is not passed over.
    let floors = core.stores.count > 1 ? try historyReaches().mapValues(\.floor) : [:]
    let found = try core.stores.compactMap { store in try core.withScope { try store.fetchHistory(descriptor) } }
    guard let first = found.first else { throw DataStoreError.unsupportedFeature }
    guard found.count > 1 else { return first }
    var merged = HistoryPositions.merged(found)
    if let own = merged as? [DefaultHistoryTransaction],
      let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction>
    {
      let beginnings = core.stores.map(\.identifier).reduce(into: [String: HistoryPosition]()) {
        $0[$1] = HistoryQuery(descriptor, store: $1).beginnings.min()
      }
      merged = HistoryPositions.joined(own, after: beginnings, floors) as? [T] ?? merged
    }
    if !descriptor.sortBy.isEmpty { merged.sort(using: descriptor.sortBy) }
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
      if let reach = try core.withScope({ try store.sqlStore?.historyReach() }) { reaches[store.identifier] = reach }
    }
    return reaches
  }
}
