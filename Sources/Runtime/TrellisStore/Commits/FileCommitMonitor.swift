import Synchronization

/// Detects concurrent commits to a file store.
final class FileCommitMonitor: CommitMonitor {
  let store: DefaultStore
  private let path: String
  /// The writing connection's ``Connection/externalVersion()`` when the commits were last read.
  private let version = Atomic<Int64>(0)
  /// The value of ``ConnectionPool/commitsMet`` before the last complete check.
  private let looked = Atomic<Int>(0)
  private let state: Mutex<State>

  private struct State {
    /// The last history transaction that was checked.
    var last: Int64 = 0
    /// True if transactions newer than ``version`` have been read.
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
    // While another thread saves, the version is unknown, and only the history shows commits.
    let met = store.pool.commitsMet.load(ordering: .acquiring)
    guard let now = try? store.pool.unlessWriting({ try $0.externalVersion() }),
      now == version.load(ordering: .acquiring)
    else { return true }
    looked.store(met, ordering: .releasing)
    return false
  }

  var hasMetCommits: Bool? {
    guard store.allowsSave else { return nil }
    return store.pool.commitsMet.load(ordering: .acquiring) != looked.load(ordering: .acquiring)
  }

  func signal(_ body: @escaping @Sendable () -> Void) -> any CommitSignal {
    FileSignal(path, body)
  }

  func externalCommits() throws -> ExternalCommits? {
    try store.pool.checkUse()
    return try state.withLock { state in
      var found: ExternalCommits?
      let met = store.pool.commitsMet.load(ordering: .acquiring)
      let isNewVersion = try read(for: .refresh) { connection in
        let last = state.last
        let end = max(last, try HistoryTables.last(connection))
        var news = try FileHistory(store: store, connection: connection)
          .externalCommits(HistoryQuery(after: store.token(last), store: store.identifier))
        let floor = try HistoryLog.floor(connection)
        // Transactions up to the floor were deleted before they could be read. Unless this store wrote all of them,
        // some were concurrent commits.
        if floor > last, store.history?.own.contains(last + 1...floor) != true { news.addGap() }
        state.last = end
        if news.isGap || !news.transactions.isEmpty { found = news }
      }
      guard let isNewVersion else {
        if found != nil { state.isAhead = true }
        return found
      }
      looked.store(met, ordering: .releasing)
      defer { state.isAhead = false }
      guard found == nil, isNewVersion else { return found }
      // Either the history does not contain the commit, or an earlier check has already read its transaction.
      var news = ExternalCommits()
      news.addGap()
      news.isGap = !state.isAhead
      return news
    }
  }

  /// Reads the store in a consistent state.
  ///
  /// - Returns: True if the version has changed; `nil` if another thread is saving and the version is unknown.
  private func read(for purpose: TracedStatement.Purpose, _ body: (Connection) throws -> Void) throws -> Bool? {
    let now = try store.pool.unlessWriting(for: purpose) { connection in
      guard !connection.isInTransaction else {
        // The caller is saving and has uncommitted history rows, so another connection reads. No other
        // connection can commit until the save ends.
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
    guard token[store.identifier] != nil else { return [] }
    let query = HistoryQuery(after: token, store: store.identifier)
    var found: [ExternalTransaction] = []
    try store.reading(for: .history, several: true) { connection in
      let history = FileHistory(store: store, connection: connection)
      try history.check(query.beginnings)
      found = try history.externalCommits(query).transactions
    }
    return found
  }
}
