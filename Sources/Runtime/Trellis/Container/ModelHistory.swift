/// What the default stores of a container remember, seen from one of its contexts. Not in SwiftData.
///
///     let news = try context.history.changes(since: token)
///     for change in news.changes { … }
///     token = news.token
public struct ModelHistory {
  let context: ModelContext

  /// What has become of every object between a position and now: its net effect, once.
  ///
  /// An object that was inserted and then changed is one insertion; one that was changed three times is one
  /// update with all the properties; one that was inserted and deleted again is nothing; a deleted one
  /// is a deletion with what was preserved of it, whatever happened to it before. So a program that
  /// carries changes elsewhere asks once, carries over what it is told, and keeps the token.
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
  ///   - token: the position; nil for the beginning of what is remembered, and then
  ///     ``NetChanges/isComplete`` is false where something has been forgotten.
  ///   - models: the classes that matter, each with those that inherit from it; empty for all.
  ///   - authors: whose changes do not matter, such as those the program itself has carried over. An object
  ///     that they have deleted is not told of; a property that only they have changed is not named.
  /// - Throws: as ``ModelContext/fetchHistory(_:)``, ``SwiftDataError/historyTokenExpired`` among it.
  public func changes(
    since token: DefaultHistoryToken? = nil, of models: [any PersistentModel.Type] = [],
    excludingAuthors authors: Set<String> = []
  ) throws -> NetChanges {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    if let token { descriptor.predicate = #Predicate { $0.token > token } }
    let floors = token == nil ? try context.historyReaches().mapValues(\.floor) : [:]
    let transactions = try context.fetchHistory(descriptor)
    let isWhole = try token != nil || context.historyReaches().values.allSatisfy { $0.floor == 0 }
    var fold = HistoryFold(models.map { $0._$definition })
    for transaction in transactions {
      let isForeign = transaction.author.map(authors.contains) ?? false
      for change in transaction.changes { fold.add(change, isForeign: isForeign) }
    }
    return NetChanges(
      changes: fold.changes,
      token: Self.joined(token ?? DefaultHistoryToken(floors.filter { $0.value > 0 }), transactions.last?.token),
      isComplete: isWhole && transactions.allSatisfy(\.isComplete))
  }

  /// The position that the histories have reached now; nil when no store of the container has one.
  ///
  /// For who is to read the models anew: ask for the position first. The token of the last transaction will do
  /// as well, but for where it was forgotten or nothing was ever recorded.
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
    var positions = before?.tokenValue ?? [:]
    positions.merge(now?.tokenValue ?? [:], uniquingKeysWith: max)
    return DefaultHistoryToken(positions)
  }
}

/// What has become of objects between two positions of a history. Not in SwiftData.
public struct NetChanges: Sendable {
  /// One change of each object: insertions, updates, deletions, each in the order in which they first
  /// happened.
  public let changes: [HistoryChange]
  /// The position to go on from; nil where nothing was ever recorded.
  public let token: DefaultHistoryToken?
  /// Whether that is all. False where a transaction in between does not tell what it did, see
  /// ``DefaultHistoryTransaction/isComplete``, and where somebody without a position asks a history whose beginning
  /// is forgotten: compare everything once.
  public let isComplete: Bool
}

extension ModelContext {
  /// What the default stores of the container remember. Not in SwiftData.
  public var history: ModelHistory { ModelHistory(context: self) }
}
