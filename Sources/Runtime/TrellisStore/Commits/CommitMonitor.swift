/// Finds commits of concurrent processes, and of further containers over the same store.
package protocol CommitMonitor: AnyObject, Sendable {
  /// The identifier of the store.
  var identifier: String { get }
  /// True if ``externalCommits()`` may find something; the answer takes at most a short read transaction.
  var mayHaveExternalCommits: Bool { get }
  /// True if only ``externalCommits()`` can tell.
  var isBlind: Bool { get }
  /// True if a read of the store has met commits that the last look did not see; nil if only a look can tell.
  var hasMetCommits: Bool? { get }
  /// The concurrent commits since the last call; nil if there are none.
  ///
  /// - Throws: the error of a read. The next call finds the commits then.
  func externalCommits() throws -> ExternalCommits?
  /// The concurrent transactions after a token.
  ///
  /// - Throws: ``SwiftDataError/historyTokenExpired``.
  func transactions(after token: DefaultHistoryToken) throws -> [ExternalTransaction]
  /// Calls `body` soon after concurrent commits, until the result is released. `body` can be called if there is no commit.
  func signal(_ body: @escaping @Sendable () -> Void) -> any CommitSignal
}

extension CommitMonitor {
  package var hasMetCommits: Bool? { nil }
}

/// Calls a function soon after concurrent commits, until it is released.
package protocol CommitSignal: AnyObject, Sendable {}

/// A transaction of another process or container.
package struct ExternalTransaction: Sendable {
  /// The position of a reader after the transaction.
  package var token: DefaultHistoryToken
  /// The position of the transaction, which tells whether a reader has read it.
  package var position: HistoryPosition
  package var author: String?
  /// The entities of the changed models and those they inherit from.
  package var entities: Set<String> = []
  /// False if the transaction does not name all changes.
  package var isComplete = true

  package init(token: DefaultHistoryToken, position: HistoryPosition, author: String?) {
    self.token = token
    self.position = position
    self.author = author
  }
}

/// Concurrent commits.
package struct ExternalCommits: Sendable {
  package var commit = Commit()
  package var transactions: [ExternalTransaction] = []
  /// True if there are changes that no transaction of the history names.
  package var isGap = false

  package init() {}

  /// Adds a transaction.
  ///
  /// - Parameters:
  ///   - bytes: the changes as the history has them.
  ///   - decoder: the decoder for the version of the schema that has written them; nil if there is none.
  package mutating func add(
    _ transaction: ExternalTransaction, _ bytes: [UInt8], decoder: (Int) throws -> HistoryDecoder?
  ) throws {
    var transaction = transaction
    if var reader = HistoryReader(bytes), let decoder = try decoder(reader.epoch), let part = decoder.commit(&reader) {
      for change in part.changes.byClass.values { transaction.entities.formUnion(change.definition.entityNames) }
      commit.formUnion(part)
    } else {
      transaction.isComplete = false
      commit.formUnion(Commit(isWholesale: true))
    }
    transactions.append(transaction)
  }

  /// Adds changes that no transaction names: all models can have changed.
  package mutating func addGap() {
    commit.formUnion(Commit(isWholesale: true))
    isGap = transactions.isEmpty
  }
}

extension HistorySource {
  /// The transactions of others after the positions of a query.
  package func externalCommits(_ query: HistoryQuery) throws -> ExternalCommits {
    var found = ExternalCommits()
    try visitRows(query) { row in
      let position = position(of: row)
      guard !isOwn(row), query.beginnings.allSatisfy({ $0 < position }) else { return true }
      let transaction = ExternalTransaction(token: token(of: row), position: position, author: row.author)
      try found.add(transaction, row.changes ?? [], decoder: decoder)
      return true
    }
    return found
  }
}

extension ModelDefinition {
  /// The names of the entity and the inherited entities.
  fileprivate var entityNames: [String] {
    var names = [entityName]
    var current = Schema.superclass(of: modelType)
    while let type = current {
      names.append(type._$definition.entityName)
      current = Schema.superclass(of: type)
    }
    return names
  }
}
