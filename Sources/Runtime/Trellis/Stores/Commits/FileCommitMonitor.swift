import Synchronization

/// Finds concurrent commits to a store in a file.
final class FileCommitMonitor: CommitMonitor {
  let store: DefaultStore
  private let path: String
  /// The writing connection's ``Connection/externalVersion()`` up to which all commits have been read.
  private let version = Atomic<Int64>(0)
  private let state: Mutex<State>

  private struct State {
    /// The last transaction of the history that was looked at.
    var last: Int64 = 0
    /// True if transactions of a newer version than ``version`` have been read.
    var isAhead = false
  }

  init?(_ store: DefaultStore) {
    guard case .file(let path, _) = store.pool.place else { return nil }
    self.store = store
    self.path = path
    state = Mutex(State())
    state.withLock { state in
      _ = try? read(for: .opening) { state.last = try HistoryTables.last($0) }
    }
  }

  var identifier: String { store.identifier }
  var isBlind: Bool { !store.allowsSave }

  var mayHaveExternalCommits: Bool {
    guard store.allowsSave else { return false }
    // While a second thread saves, only the history is read.
    guard let now = try? store.pool.unlessWriting({ try $0.externalVersion() }) else { return true }
    return now != version.load(ordering: .acquiring)
  }

  func signal(_ body: @escaping @Sendable () -> Void) -> any CommitSignal {
    FileSignal(path, body)
  }

  func externalCommits() throws -> ExternalCommits? {
    try store.pool.checkUse()
    return try state.withLock { state in
      var found: ExternalCommits?
      let isNewVersion = try read(for: .refresh) { connection in
        let last = state.last
        let end = max(last, try HistoryTables.last(connection))
        var news = try transactions(after: last, connection)
        let floor = try HistoryLog.floor(connection)
        // The history of concurrent commits is deleted already. The remaining transactions are the store's own.
        if floor > last, store.history?.own.contains(last + 1...floor) != true { news.addGap() }
        state.last = end
        if news.isGap || !news.transactions.isEmpty { found = news }
      }
      guard let isNewVersion else {
        if found != nil { state.isAhead = true }
        return found
      }
      defer { state.isAhead = false }
      guard found == nil, isNewVersion else { return found }
      // The history lacks the commit, or the transaction was read before.
      return ExternalCommits(commit: Commit(isWholesale: true), isGap: !state.isAhead)
    }
  }

  /// Reads a state of the store.
  ///
  /// - Returns: true if the state has a new version; nil if a second thread saves, and the version is unknown.
  private func read(for purpose: TracedStatement.Purpose, _ body: (Connection) throws -> Void) throws -> Bool? {
    let now = try store.pool.unlessWriting(for: purpose) { connection in
      guard !connection.isInTransaction else {
        // The save that calls has uncommitted rows in the history. No other connection can commit.
        try store.reading(for: purpose, several: true, body)
        return try connection.externalVersion()
      }
      return try connection.read {
        let now = try connection.externalVersion()
        try body(connection)
        return now
      }
    }
    guard let now else {
      try store.reading(for: purpose, several: true, body)
      return nil
    }
    return version.exchange(now, ordering: .acquiringAndReleasing) != now
  }

  func transactions(after token: DefaultHistoryToken) throws -> [ExternalTransaction] {
    guard let position = token[store.identifier]?.number else { return [] }
    var found: [ExternalTransaction] = []
    try store.reading(for: .history, several: true) { connection in
      try store.check([position], connection)
      found = try transactions(after: position, connection).transactions
    }
    return found
  }

  private func transactions(after last: Int64, _ connection: Connection) throws -> ExternalCommits {
    var numbers: [Int64] = []
    var rows: [(author: String?, bytes: [UInt8])] = []
    let statement = try connection.take(Self.query.text)
    defer { connection.giveBack(statement) }
    statement.bind(last, at: 1)
    while try statement.step() {
      guard case .blob(let bytes) = statement.value(2) else { continue }
      numbers.append(statement.integer(0))
      rows.append((statement.text(1), bytes))
    }
    let own = store.history?.own.contains(numbers) ?? numbers.map { _ in false }
    var found = ExternalCommits()
    for (index, number) in numbers.enumerated() where !own[index] {
      let transaction = ExternalTransaction(
        token: store.origin.at(number), position: HistoryPosition(number), author: rows[index].author)
      try found.add(transaction, rows[index].bytes) { epoch in
        try store.historyNames.decoder(epoch, store.plans, connection)
      }
    }
    return found
  }

  private static let query: SQLFragment = """
    SELECT "id", "author", "changes" FROM \(name: HistoryTables.transactions)
    WHERE "id" > ?1 ORDER BY "id"
    """
}
