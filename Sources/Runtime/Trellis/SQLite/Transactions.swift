import CSQLite

extension Connection {
  /// Slots of statements that every connection has. Slots of entities follow.
  enum FixedSlot: Int, CaseIterable { case begin, beginImmediate, commit, rollback, definitions, recordHistory }

  /// Runs `body` in a write transaction, which is rolled back if `body` throws.
  ///
  /// - Parameter explaining: makes an error more specific while the transaction is still open.
  /// - Throws: what `body` throws, ``SQLiteError``, or ``ConnectionInUse`` inside of another transaction.
  package func write<T>(
    explaining: (any Error) -> any Error = { $0 }, _ body: () throws -> T
  ) throws -> T {
    guard !isInTransaction else {
      if isLent { return try writeNested(explaining, body) }
      throw ConnectionInUse(
        explanation: "this thread is writing a batch or a save to the store: save when that is done")
    }
    try run(.beginImmediate, "BEGIN IMMEDIATE")
    let writtenBefore = sqlite3_total_changes64(handle)
    do {
      let result = try body()
      try beforeCommit?(self)
      // The connection's own commit changes SQLite's data version, but not the store's version.
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
      // SQLite has already rolled back after some errors, such as a full disk.
      if isInTransaction { try? run(.rollback, "ROLLBACK") }
      throw error
    }
  }

  /// Runs `body` in a savepoint of the transaction of the migration that lends the connection.
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

  /// Runs several queries in one read transaction.
  package func read<T>(_ body: () throws -> T) throws -> T {
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

  /// SQLite's schema version, which each change of a table definition increases.
  func definitions() throws -> Int64 {
    let statement = try statement(slot: FixedSlot.definitions.rawValue, "PRAGMA schema_version")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// SQLite's data version: changes with each commit of this connection, and when the connection sees a commit of
  /// another one.
  var currentDataVersion: UInt32 {
    var version: UInt32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }
}
