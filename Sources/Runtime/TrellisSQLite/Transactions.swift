import CSQLite

extension Connection {
  /// Slots of statements that every connection has. Slots of entities follow.
  package enum FixedSlot: Int, CaseIterable { case begin, beginImmediate, commit, rollback, definitions, recordHistory }

  /// Runs `body` in a write transaction, which is rolled back if `body` throws.
  ///
  /// - Parameter explaining: makes an error more specific while the transaction is still open.
  /// - Throws: what `body` throws, ``SQLiteError``, or ``ConnectionInUse`` inside of another transaction.
  package func write<T>(
    explaining: (any Error) -> any Error = { $0 }, _ body: () throws -> T
  ) throws -> T {
    let transaction = try beginWrite()
    do {
      let result = try body()
      try commit(transaction)
      return result
    } catch {
      let error = explaining(error)
      rollBack(transaction)
      throw error
    }
  }

  private struct WriteTransaction {
    /// True for a savepoint in the transaction of the migration that lends the connection.
    package let isNested: Bool
    /// SQLite's count of changed rows at the start.
    package let changesBefore: Int64
  }

  private static let savepoint = "trellis_nested"

  // The three steps are not generic, so that each call of `write` compiles only the calls of them.

  @inline(never) private func beginWrite() throws -> WriteTransaction {
    let isNested = isInTransaction
    if isNested {
      guard isLent else {
        throw ConnectionInUse(
          explanation: "this thread is writing a batch or a save to the store: save when that is done")
      }
      try execute("SAVEPOINT \(name: Self.savepoint)")
    } else {
      try run(.beginImmediate, "BEGIN IMMEDIATE")
    }
    return WriteTransaction(isNested: isNested, changesBefore: sqlite3_total_changes64(handle))
  }

  @inline(never) private func commit(_ transaction: WriteTransaction) throws {
    guard !transaction.isNested else {
      try execute("RELEASE \(name: Self.savepoint)")
      transactions &+= 1
      return
    }
    // The connection's own commit changes SQLite's data version, but not the store's version.
    let isChecked = checkedState == currentDataVersion
    let isCurrent = commitCount?.willCommit() ?? false
    var isCommitted = false
    defer {
      commitCount?.didCommit(
        isCurrent: isCurrent,
        hasWritten: isCommitted && sqlite3_total_changes64(handle) != transaction.changesBefore)
    }
    try run(.commit, "COMMIT")
    isCommitted = true
    transactions &+= 1
    if isChecked { checkedState = currentDataVersion }
    checkpointer?.follow(self)
  }

  @inline(never) private func rollBack(_ transaction: WriteTransaction) {
    // SQLite has already rolled back after some errors, such as a full disk.
    guard isInTransaction else { return }
    if transaction.isNested {
      try? execute("ROLLBACK TO \(name: Self.savepoint)")
      try? execute("RELEASE \(name: Self.savepoint)")
    } else {
      try? run(.rollback, "ROLLBACK")
    }
  }

  /// Runs several queries in one read transaction.
  package func read<T>(_ body: () throws -> T) throws -> T {
    if isInTransaction { return try body() }
    try begin()
    defer { if isInTransaction { try? end() } }
    return try body()
  }

  package func begin() throws { try run(.begin, "BEGIN") }
  package func end() throws { try run(.commit, "COMMIT") }

  private func run(_ slot: FixedSlot, _ sql: String) throws {
    try statement(slot: slot.rawValue, sql).run()
  }

  /// SQLite's schema version, which each change of a table definition increases.
  package func definitions() throws -> Int64 {
    let statement = try statement(slot: FixedSlot.definitions.rawValue, "PRAGMA schema_version")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// SQLite's data version: changes with each commit of this connection, and when the connection sees a commit of
  /// another one.
  package var currentDataVersion: UInt32 {
    var version: UInt32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }
}
