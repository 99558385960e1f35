import Synchronization

/// Finds what others have committed to a store: other processes, other containers.
final class ExternalCommitMonitor: Sendable {
  let store: DefaultStore
  private let commits: CommitCount?
  private let state: Mutex<State>

  private struct State {
    /// The last transaction of the history that was looked at.
    var last: Int64 = 0
    /// True if no connection has committed during the last read, so the rows that were read match the commit count.
    var isSettled = false
  }

  /// A transaction of another connection.
  struct Transaction: Sendable {
    var token: DefaultHistoryToken
    var author: String?
    /// The entities of the changed models and those they inherit from.
    var entities: Set<String>
    var isComplete: Bool
  }

  struct Found: Sendable {
    var commit = Commit()
    var transactions: [Transaction] = []
    /// True if another connection has committed without recording its changes.
    var isGap = false
  }

  init?(_ store: DefaultStore) {
    guard case .file = store.pool.place else { return nil }
    self.store = store
    commits = store.pool.commits
    state = Mutex(State())
    state.withLock { state in
      _ = try? settled(&state) { state in
        try store.reading(for: .opening, several: false) { connection in
          if try HistoryTables.exist(connection) { state.last = try HistoryTables.last(connection) }
        }
      }
    }
  }

  /// Whether there is something to be found; false also where that cannot be seen at a glance.
  @inline(__always) var hasExternalCommits: Bool { commits?.hasExternalCommits ?? false }

  /// Whether it takes a look at the file to see whether there is something.
  var isBlind: Bool { commits == nil }

  /// What has come since the last look; nil when it is nothing.
  ///
  /// - Throws: what reading throws; what has come is found by the next look then.
  func look() throws -> Found? {
    try state.withLock { state in
      let wasSettled = state.isSettled
      var isMixed = commits?.takeMixed() ?? false
      var found: Found?
      let hasExternalCommits = try settled(&state) { state in
        try store.reading(for: .refresh, several: true) { connection in
          guard try HistoryTables.exist(connection) else { return }
          let last = state.last
          let end = max(last, try HistoryTables.last(connection))
          var news = try transactions(after: last, connection)
          let floor = try HistoryLog.floor(connection)
          // What others have saved is forgotten already; of what is left everything is known.
          if floor > last, store.history?.own.contains(last + 1...floor) != true {
            news.commit.formUnion(Commit(isWholesale: true))
            news.isGap = news.transactions.isEmpty
          }
          state.last = end
          guard news.isGap || !news.transactions.isEmpty else { return }
          found = found.map { $0.joined(with: news) } ?? news
        }
      }
      if commits?.takeMixed() == true { isMixed = true }
      guard found == nil, hasExternalCommits else { return found }
      // The commit is of a connection that records no history, or of this store, or already known.
      return Found(
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

  /// The transactions of other connections after a token of the program.
  ///
  /// - Throws: ``SwiftDataError/historyTokenExpired``.
  func transactions(after token: DefaultHistoryToken) throws -> [Transaction] {
    guard let position = token[store.identifier] else { return [] }
    var found: [Transaction] = []
    try store.reading(for: .history, several: true) { connection in
      guard try HistoryTables.exist(connection) else { return }
      try store.check([position], connection)
      found = try transactions(after: position, connection).transactions
    }
    return found
  }

  private func transactions(after last: Int64, _ connection: Connection) throws -> Found {
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
    var found = Found()
    found.commit.changes = ClassChanges()
    for (position, number) in numbers.enumerated() where !own[position] {
      var transaction = Transaction(
        token: store.origin.at(number),
        author: rows[position].author, entities: [], isComplete: true)
      if try !read(rows[position].bytes, into: &found.commit, &transaction, connection) {
        transaction.isComplete = false
        found.commit.formUnion(Commit(isWholesale: true))
      }
      found.transactions.append(transaction)
    }
    return found
  }

  /// - Returns: false if the transaction does not name all changes, or has an unknown format.
  private func read(
    _ bytes: [UInt8], into commit: inout Commit, _ transaction: inout Transaction,
    _ connection: Connection
  ) throws -> Bool {
    guard var reader = HistoryReader(bytes), !reader.flags.contains(.isIncomplete),
      let decoder = try store.historyNames.decoder(reader.epoch, store.plans, connection)
    else { return false }
    var part = Commit()
    var changes = ClassChanges()
    do {
      while let group = try reader.next() {
        guard decoder.entities.indices ~= group.entity, let entity = decoder.entities[group.entity]
        else { continue }
        let definition = entity.entity.definition
        var change = ClassChange(definition)
        switch group.kind {
        case .insertion: change.comesOrGoes = true
        case .deletion:
          change.comesOrGoes = true
          for run in group.runs { part.deleted += run.keys.map { .init(token: entity.token, row: $0) } }
        case .update:
          for slot in group.columns {
            if entity.columns.indices ~= slot, let own = entity.columns[slot] { change.columns.insert(own.slot) }
          }
          for slot in group.lists {
            if entity.lists.indices ~= slot, let own = entity.lists[slot] { change.lists.insert(own.slot) }
          }
          for run in group.runs { part.updated += run.keys.map { .init(token: entity.token, row: $0) } }
        }
        changes.add(change)
        part.entities.insert(definition.root.entityName)
        transaction.entities.formUnion(definition.entityNames)
      }
    } catch is HistoryReader.Damage {
      return false
    }
    part.changes = changes
    commit.formUnion(part)
    commit.entities.formUnion(part.entities)
    return true
  }

  private static let query: SQLFragment = """
    SELECT "id", "author", "changes" FROM \(name: HistoryTables.transactions)
    WHERE "id" > ?1 ORDER BY "id"
    """
}

extension ExternalCommitMonitor.Found {
  fileprivate func joined(with later: Self) -> Self {
    var joined = self
    joined.commit.formUnion(later.commit)
    joined.transactions += later.transactions
    joined.isGap = (isGap || later.isGap) && joined.transactions.isEmpty
    return joined
  }
}

extension ModelDefinition {
  /// Its own name and those of what it inherits from.
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
