import CSQLite

extension Connection {
  /// Slots of statements that every connection has. Slots of entities follow.
  package enum FixedSlot: Int, CaseIterable {
    case begin, beginImmediate, commit, rollback, definitions, dataVersion, recordHistory
  }

  /// Runs `body` in a write transaction, which is rolled back if `body` throws.
  ///
  /// - Parameter explaining: makes an error more specific while the transaction is still open.
  /// - Throws: what `body` throws, ``SQLiteError``, or ``ConnectionInUse`` inside of another transaction.
  package func write<T>(
    explaining: (any Error) -> any Error = { $0 }, _ body: () throws -> T
  ) throws -> T {
    // True for a savepoint in the transaction of the migration that lends the connection.
    let isNested = try beginWrite()
    do {
      let result = try body()
      try commit(isNested)
      return result
    } catch {
      let error = explaining(error)
      rollBack(isNested)
      throw error
    }
  }

  /// Runs `body` in a savepoint of the transaction. An error undoes its changes.
  package func savepoint(_ body: () throws -> Void) throws {
    try executeCached("SAVEPOINT \(name: Self.savepoint)")
    do {
      try body()
    } catch {
      rollBack(true)
      throw error
    }
    try executeCached("RELEASE \(name: Self.savepoint)")
  }

  private static let savepoint = "trellis_nested"

  // The three steps are not generic, so that each call of `write` compiles only the calls of them.

  @inline(never) private func beginWrite() throws -> Bool {
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
    return isNested
  }

  @inline(never) private func commit(_ isNested: Bool) throws {
    guard !isNested else {
      try execute("RELEASE \(name: Self.savepoint)")
      transactions &+= 1
      return
    }
    // The connection's own commit changes SQLite's data version, but not the store's version.
    let isChecked = checkedState == currentDataVersion
    try run(.commit, "COMMIT")
    transactions &+= 1
    if isChecked { checkedState = currentDataVersion }
  }

  @inline(never) private func rollBack(_ isNested: Bool) {
    // SQLite has already rolled back after some errors, such as a full disk.
    guard isInTransaction else { return }
    if isNested {
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
  package func definitions() throws -> Int64 { try integer(.definitions, "PRAGMA schema_version") }

  /// A number that commits of different connections change, and commits of this connection do not. Starts a read
  /// transaction if none is open.
  package func externalVersion() throws -> Int64 { try integer(.dataVersion, "PRAGMA data_version") }

  private func integer(_ slot: FixedSlot, _ sql: String) throws -> Int64 {
    let statement = try statement(slot: slot.rawValue, sql)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// SQLite's data version at the last read: changes with each commit of this connection, and when the connection sees a
  /// concurrent commit.
  package var currentDataVersion: UInt32 {
    var version: UInt32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }
}
