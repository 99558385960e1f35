import Synchronization

/// Finds what others have committed to a store: other processes, other containers.
final class RemoteNews: Sendable {
  let store: DefaultStore
  private let commits: CommitCount?
  /// The last transaction of the history that was looked at.
  private let last: Mutex<Int64>

  /// What somebody else has saved.
  struct Transaction: Sendable {
    var token: DefaultHistoryToken
    var author: String?
    /// The entities of the changed models and those they inherit from.
    var entities: Set<String>
    var isComplete: Bool
  }

  struct Found: Sendable {
    var commit: Commit
    var transactions: [Transaction]
  }

  init?(_ store: DefaultStore) {
    guard case .file = store.pool.place else { return nil }
    self.store = store
    commits = store.pool.commits
    var last: Int64 = 0
    try? store.reading(several: false) { connection in
      if try HistoryTables.exist(connection) { last = try HistoryTables.last(connection) }
    }
    self.last = Mutex(last)
  }

  /// Whether there is something to be found; false also where that cannot be seen at a glance.
  @inline(__always) var hasNews: Bool { commits?.hasNews ?? false }

  /// Whether it takes a look at the file to see whether there is something.
  var isBlind: Bool { commits == nil }

  /// What has come since the last look; nil when it is nothing.
  ///
  /// - Throws: what reading throws; what has come is found by the next look then.
  func look() throws -> Found? {
    try last.withLock { last in
      let mark = commits?.mark
      var found: Found?
      var end = last
      try store.reading(several: true) { connection in
        guard try HistoryTables.exist(connection) else { return }
        if try HistoryLog.floor(connection) > last { found = .everything }
        end = max(end, try HistoryTables.last(connection))
        let news = try transactions(after: last, connection)
        if !news.transactions.isEmpty { found = found ?? news }
      }
      store.history?.own.forget(through: end)
      let isUnexplained = found == nil && commits?.hasNews == true
      last = end
      if let mark { commits?.note(mark) }
      // Somebody has committed who records nothing.
      return found ?? (isUnexplained ? .everything : nil)
    }
  }

  /// What others have saved after a position that somebody has kept.
  ///
  /// - Throws: ``SwiftDataError/historyTokenExpired``.
  func transactions(after token: DefaultHistoryToken) throws -> [Transaction] {
    guard let position = token[store.identifier] else { return [] }
    var found: [Transaction] = []
    try store.reading(several: true) { connection in
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
    var found = Found(commit: Commit(), transactions: [])
    found.commit.changes = ClassChanges()
    for (position, number) in numbers.enumerated() where !own[position] {
      var transaction = Transaction(
        token: DefaultHistoryToken(store: store.identifier, position: number),
        author: rows[position].author, entities: [], isComplete: true)
      if try !read(rows[position].bytes, into: &found.commit, &transaction, connection) {
        transaction.isComplete = false
        found.commit.formUnion(Commit(isWholesale: true))
      }
      found.transactions.append(transaction)
    }
    return found
  }

  /// - Returns: false where the transaction does not say everything, or in a way nobody understands.
  private func read(
    _ bytes: [UInt8], into commit: inout Commit, _ transaction: inout Transaction,
    _ connection: Connection
  ) throws -> Bool {
    guard var reader = HistoryReader(bytes), !reader.flags.contains(.isIncomplete),
      let decoder = try store.historyNames.decoder(reader.epoch, store, connection)
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

extension RemoteNews.Found {
  /// Nobody can say what.
  fileprivate static var everything: Self { Self(commit: Commit(isWholesale: true), transactions: []) }
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
