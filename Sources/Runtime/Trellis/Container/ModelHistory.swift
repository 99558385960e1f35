import Foundation

/// The recorded history of a container's default stores, as seen by a context. Not in SwiftData.
///
/// ```swift
/// var token = try context.history.latestToken()
/// // Later, or after the app has stored and restored the token:
/// let news = try context.history.changes(since: token)
/// for change in news.changes { print(change.changedPersistentIdentifier) }
/// token = news.token
/// ```
public struct ModelHistory {
  let context: ModelContext

  /// Returns the net change of each object since a token.
  ///
  /// An object that was inserted and then changed is reported as an insertion. Repeated updates are merged into an
  /// update with all changed properties. Objects that were inserted and deleted are omitted. A deleted object is
  /// reported with its preserved values. A sync implementation can therefore call this function once, transfer the
  /// changes and save the token.
  ///
  /// ```swift
  /// let token = try JSONDecoder().decode(DefaultHistoryToken.self, from: Data(contentsOf: url))
  /// let news = try context.history.changes(since: token, of: [Trip.self], excludingAuthors: ["sync"])
  /// for change in news.changes {
  ///   switch change {
  ///   case .insert(let insert as DefaultHistoryInsert<Trip>): print("new:", insert.changedPersistentIdentifier)
  ///   case .update(let update as DefaultHistoryUpdate<Trip>) where update.containsAttribute(\.startDate):
  ///     print("postponed:", update.changedPersistentIdentifier)
  ///   case .delete(let delete as DefaultHistoryDelete<Trip>): print("cancelled:", delete.tombstone[\.name] ?? "")
  ///   default: break
  ///   }
  /// }
  /// try JSONEncoder().encode(news.token).write(to: url)
  /// ```
  ///
  /// - Parameters:
  ///   - token: The starting token; `nil` for the beginning of the history. ``NetChanges/isComplete`` is then false if
  ///     transactions were deleted.
  ///   - models: The classes to report, including subclasses; empty for all.
  ///   - authors: The authors whose changes are excluded, such as the app's own sync code. Objects that these authors
  ///     deleted and properties that only they changed are omitted.
  /// - Returns: The changes and the token to continue from.
  /// - Throws: The same errors as ``ModelContext/fetchHistory(_:)``, including ``SwiftDataError/historyTokenExpired``.
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

  /// Returns the current end of the history, or `nil` if no store records a history.
  ///
  /// Call this function before reading all models, for example after a token has expired. All later changes come after
  /// the returned token.
  ///
  /// ```swift
  /// let token = try context.history.latestToken()
  /// for trip in try context.fetch(FetchDescriptor<Trip>()) { print(trip.name, trip.startDate) }
  /// if let token { try JSONEncoder().encode(token).write(to: url) }
  /// ```
  ///
  /// The last transaction's token is equivalent unless that transaction was deleted or there are no transactions.
  ///
  /// - Throws: Errors from the stores.
  public func latestToken() throws -> DefaultHistoryToken? {
    try DefaultHistoryToken(context.historyReaches().mapValues(\.last))
  }

  /// Combines two tokens, using the later position for each store.
  private static func joined(
    _ before: DefaultHistoryToken?, _ now: DefaultHistoryToken?
  ) -> DefaultHistoryToken? {
    var positions = before?.positions ?? [:]
    positions.merge(now?.positions ?? [:], uniquingKeysWith: max)
    return DefaultHistoryToken(positions)
  }
}

/// The net changes between two history positions. Not in SwiftData.
///
/// ```swift
/// let news = try context.history.changes(of: [Trip.self])
/// if news.isComplete {
///   print("\(news.changes.count) trips changed")
/// } else {
///   let trips = try context.fetch(FetchDescriptor<Trip>())   // compare all trips
///   print("\(trips.count) trips to compare")
/// }
/// ```
public struct NetChanges: Sendable {
  /// The changes, at most 1 per object: insertions, updates, then deletions, each in order of first occurrence.
  public let changes: [HistoryChange]
  /// The token to continue from; `nil` if no history was ever recorded.
  public let token: DefaultHistoryToken?
  /// False if a transaction does not list all changes (see ``DefaultHistoryTransaction/isComplete``), or if no token
  /// was given and the beginning of the history was deleted. The caller must then compare all objects.
  public let isComplete: Bool
}

extension ModelContext {
  /// The recorded history of the container's default stores, reduced to net changes. Not in SwiftData.
  public var history: ModelHistory { ModelHistory(context: self) }
}

extension ModelContext {
  /// Fetches the matching history transactions from the container's stores.
  ///
  /// ```swift
  /// var imports = HistoryDescriptor<DefaultHistoryTransaction>(
  ///   predicate: #Predicate { $0.author == "import" },
  ///   sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
  /// imports.fetchLimit = 10
  /// for transaction in try context.fetchHistory(imports) {
  ///   print(transaction.timestamp, transaction.changes.count)
  /// }
  /// ```
  ///
  /// Only stores that record this transaction type are read. If the container's stores use several transaction types,
  /// fetch each type separately.
  ///
  /// Transactions from a single store are returned in the order provided by the store. Transactions from several stores
  /// are sorted by the descriptor, or by time if it has no sort order. Each token then contains the position reached in
  /// every store, so that a single token is enough to continue.
  ///
  /// - Parameter descriptor: The predicate, sort order and limit. If the predicate compares tokens, only later
  ///   transactions are read.
  /// - Returns: The matching transactions; empty if there are none.
  /// - Throws: ``DataStoreError/unsupportedFeature`` if no store provides history with this transaction type (see
  ///   ``HistoryProviding``); ``SwiftDataError/historyTokenExpired`` if transactions after a token in the predicate
  ///   were deleted; errors from the stores.
  public func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T] {
    // Read first, so that transactions deleted during the fetch are not skipped.
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

  /// Deletes the matching history transactions from all stores that record this transaction type. Models are not
  /// affected.
  ///
  /// ```swift
  /// let lastMonth = Date.now - 30 * 86_400
  /// try context.deleteHistory(
  ///   HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.timestamp < lastMonth }))
  /// ```
  ///
  /// Tokens for positions before the last deleted transaction expire. If the descriptor has a
  /// ``HistoryDescriptor/fetchLimit``, exactly the transactions that ``fetchHistory(_:)`` returns are deleted, even if
  /// they belong to several stores. To delete old transactions automatically, set the configuration's
  /// ``ModelConfiguration/history``.
  ///
  /// - Parameter descriptor: The transactions to delete.
  /// - Throws: ``DataStoreError/unsupportedFeature`` if no store provides history with this transaction type (see
  ///   ``HistoryProviding``); errors from the stores.
  public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
    var isAnswered = false
    var descriptor = descriptor
    let isDivided = descriptor.fetchLimit > 0 && core.stores.count > 1
    // Each store uses a fixed order, so its share of the found transactions consists of its first matches.
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

/// Combines positions from several stores into a single token.
enum HistoryPositions {
  /// Merges transactions from several stores by time. Transactions within a store keep the order in which they were
  /// saved, regardless of the store's clock.
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

  /// Adds a position for every store to the tokens of transactions from several stores, which are sorted by time.
  ///
  /// If a store's first transaction comes later in the list, the token contains the position before that transaction,
  /// so that nothing is skipped.
  ///
  /// - Parameters:
  ///   - beginnings: The requested starting positions by store, if known.
  ///   - floors: The positions from which the stores' histories are complete, by store.
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
  /// Returns the available history range of each default store, by store identifier.
  func historyReaches() throws -> [String: HistoryReach] {
    var reaches: [String: HistoryReach] = [:]
    for store in core.stores {
      if let reach = try core.withScope({ try store.sqlStore?.historyReach() }) { reaches[store.identifier] = reach }
    }
    return reaches
  }
}
