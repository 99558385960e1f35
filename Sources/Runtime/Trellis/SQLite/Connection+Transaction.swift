import CSQLite

extension Connection {
  /// Numbers of the statements every connection has; those of entities follow.
  enum FixedSlot: Int, CaseIterable { case begin, beginImmediate, commit, rollback, definitions, recordHistory }

  /// Runs `body` as the only writer of the file; a failure leaves everything as it was.
  ///
  /// - Parameter explaining: adds to an error what can still be seen inside the transaction.
  func write<T>(
    explaining: (any Error) -> any Error = { $0 }, _ body: () throws -> T
  ) throws -> T {
    guard !isInTransaction else {
      if isLent { return try writeNested(explaining, body) }
      throw ConnectionInUse(explanation: "this thread is writing a batch or a save to the store: save when that is done")
    }
    try run(.beginImmediate, "BEGIN IMMEDIATE")
    let writtenBefore = sqlite3_total_changes64(handle)
    do {
      let result = try body()
      try beforeCommit?(self)
      // What this connection commits itself is no reason to look at the store's version again.
      let isChecked = checkedState == currentDataVersion
      let isCurrent = commitCount?.willCommit() ?? false
      var isCommitted = false
      defer {
        commitCount?.didCommit(
          isCurrent: isCurrent,
          hasWritten: isCommitted && sqlite3_total_changes64(handle) != writtenBefore)
      }
      try run(.commit, "COMMIT")
      isCommitted = true
      transactions &+= 1
      if isChecked { checkedState = currentDataVersion }
      checkpointer?.follow(self)
      return result
    } catch {
      let error = explaining(error)
      // Some failures (a full disk) have rolled back already.
      if isInTransaction { try? run(.rollback, "ROLLBACK") }
      throw error
    }
  }

  /// The same inside of the transaction of whoever has lent the connection.
  private func writeNested<T>(
    _ explaining: (any Error) -> any Error, _ body: () throws -> T
  ) throws -> T {
    try execute("SAVEPOINT trellis_nested")
    do {
      let result = try body()
      try execute("RELEASE trellis_nested")
      transactions &+= 1
      return result
    } catch {
      let error = explaining(error)
      if isInTransaction {
        try? execute("ROLLBACK TO trellis_nested")
        try? execute("RELEASE trellis_nested")
      }
      throw error
    }
  }

  /// Runs several queries against one state of the file.
  func read<T>(_ body: () throws -> T) throws -> T {
    if isInTransaction { return try body() }
    try begin()
    defer { if isInTransaction { try? end() } }
    return try body()
  }

  func begin() throws { try run(.begin, "BEGIN") }
  func end() throws { try run(.commit, "COMMIT") }

  private func run(_ slot: FixedSlot, _ sql: String) throws {
    try statement(slot: slot.rawValue, sql).run()
  }

  /// SQLite's count of changes to the definitions of tables.
  func definitions() throws -> Int64 {
    let statement = try statement(slot: FixedSlot.definitions.rawValue, "PRAGMA schema_version")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// A number that changes with each commit of this connection, and whenever it sees that another one
  /// has committed.
  var currentDataVersion: UInt32 {
    var version: UInt32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }
}
