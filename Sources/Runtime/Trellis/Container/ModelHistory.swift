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
