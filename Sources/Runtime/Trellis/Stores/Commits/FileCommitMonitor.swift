import Synchronization

/// Finds what others have committed to a store in a file.
final class FileCommitMonitor: CommitMonitor {
  let store: DefaultStore
  private let commits: CommitCount?
  private let state: Mutex<State>

  private struct State {
    /// The last transaction of the history that was looked at.
    var last: Int64 = 0
    /// True if no connection has committed during the last read, so the rows that were read match the commit count.
    var isSettled = false
  }

  init?(_ store: DefaultStore) {
    guard case .file = store.pool.place else { return nil }
    self.store = store
    commits = store.pool.commits
    state = Mutex(State())
    state.withLock { state in
      _ = try? settled(&state) { state in
        try store.reading(for: .opening, several: false) { connection in
          state.last = try HistoryTables.last(connection)
        }
      }
    }
  }

  var identifier: String { store.identifier }
  var mayHaveExternalCommits: Bool { commits?.hasExternalCommits ?? false }
  var isBlind: Bool { commits == nil }

  func signal(_ body: @escaping @Sendable () -> Void) -> any CommitSignal {
    FileSignal(store.configuration.url.path, body)
  }

  func externalCommits() throws -> ExternalCommits? {
    try state.withLock { state in
      let wasSettled = state.isSettled
      var isMixed = commits?.takeMixed() ?? false
      var found: ExternalCommits?
      let hasExternalCommits = try settled(&state) { state in
        try store.reading(for: .refresh, several: true) { connection in
          let last = state.last
          let end = max(last, try HistoryTables.last(connection))
          var news = try transactions(after: last, connection)
          let floor = try HistoryLog.floor(connection)
          // What others have saved is forgotten already; of what is left everything is known.
          if floor > last, store.history?.own.contains(last + 1...floor) != true {
            news.addGap()
          }
          state.last = end
          guard news.isGap || !news.transactions.isEmpty else { return }
          found = found.map { $0.joined(with: news) } ?? news
        }
      }
      if commits?.takeMixed() == true { isMixed = true }
      guard found == nil, hasExternalCommits else { return found }
      // The commit is of a connection that records no history, or of this store, or already known.
      return ExternalCommits(
        commit: Commit(isWholesale: true), isGap: state.isSettled && wasSettled && !isMixed)
    }
  }

  /// Reads until no connection commits meanwhile, a few times at most.
  ///
  /// - Returns: True if another connection has committed. False if commits of this program hide that; the next call
  ///   finds out.
  private func settled(_ state: inout State, _ look: (inout State) throws -> Void) throws -> Bool {
    var hasExternalCommits = false
    for round in 0..<8 {
      let turn = commits?.turn
      let mark = commits?.mark
      let count = commits?.count
      do {
        try look(&state)
      } catch {
        guard round > 0 else { throw error }
        state.isSettled = false
        break
      }
      let isAlone = turn != nil && commits?.turn == turn
      if isAlone, let mark {
        hasExternalCommits = hasExternalCommits || commits?.hasExternalCommits == true
        commits?.note(mark)
      }
      state.isSettled = commits == nil || (isAlone && commits?.count == count)
      if state.isSettled { break }
    }
    return hasExternalCommits
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
