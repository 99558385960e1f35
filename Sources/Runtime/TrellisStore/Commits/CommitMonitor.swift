/// Detects commits by concurrent processes and by other containers for the same store.
package protocol CommitMonitor: AnyObject, Sendable {
  /// The store identifier.
  var identifier: String { get }
  /// True if ``externalCommits()`` may return commits. The check takes at most a short read transaction.
  var mayHaveExternalCommits: Bool { get }
  /// True if only ``externalCommits()`` can detect commits.
  var isBlind: Bool { get }
  /// True if a read encountered commits that the last check did not see; `nil` if only a check can determine this.
  var hasMetCommits: Bool? { get }
  /// Returns concurrent commits since the last call; `nil` if there are none.
  ///
  /// - Throws: A read error. The next call then returns the commits.
  func externalCommits() throws -> ExternalCommits?
  /// Returns concurrent transactions after a token.
  ///
  /// - Throws: ``SwiftDataError/historyTokenExpired``.
  func transactions(after token: DefaultHistoryToken) throws -> [ExternalTransaction]
  /// Calls `body` shortly after concurrent commits, until the result is released. `body` may also be called when there
  /// is no commit.
  func signal(_ body: @escaping @Sendable () -> Void) -> any CommitSignal
}

extension CommitMonitor {
  package var hasMetCommits: Bool? { nil }
}

/// Calls a function shortly after concurrent commits, until the signal is released.
package protocol CommitSignal: AnyObject, Sendable {}

/// A transaction by a concurrent process or container.
package struct ExternalTransaction: Sendable {
  /// The token for the position after the transaction.
  package var token: DefaultHistoryToken
  /// The transaction's position, which determines whether a reader has already read it.
  package var position: HistoryPosition
  package var author: String?
  /// The changed models' entities, including ancestors.
  package var entities: Set<String> = []
  /// False if the transaction does not list all changes.
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
  /// True if there are changes but no history transaction lists them.
  package var isGap = false

  package init() {}

  /// Adds a transaction.
  ///
  /// - Parameters:
  ///   - bytes: The changes as recorded in the history.
  ///   - decoder: Returns the decoder for a schema version; `nil` if there is none.
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

  /// Adds changes that no transaction lists: any model may have changed.
  package mutating func addGap() {
    commit.formUnion(Commit(isWholesale: true))
    isGap = transactions.isEmpty
  }
}

extension HistorySource {
  /// Returns concurrent transactions after the query's positions.
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
  /// The names of the entity and all ancestors.
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
