/// A save's write transaction in an SQLite store. No other connection can commit until it ends.
final class SQLiteTransaction: StoreTransaction {
  private let store: DefaultStore
  private var current: Attempt?

  private struct Attempt {
    let session: WritingSession
    let isNested: Bool
    let keysBefore: [String: KeyBlocks.Block]
    var driver: SQLiteSaveDriver?
  }

  init(_ store: DefaultStore) { self.store = store }

  var commitReading: CommitReading { .inside }

  func begin() throws {
    try store.checkWritable()
    let session = try WritingSession(store, for: .save)
    do {
      let isNested = try session.connection.beginWrite()
      current = Attempt(session: session, isNested: isNested, keysBefore: store.keys.state)
    } catch {
      session.end(isCommitted: false)
      throw ConnectionPool.explanation(of: error)
    }
    try store.checkVersion(session.connection)
  }

  func write(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>, commitsNext: Bool) throws {
    guard let connection = current?.session.connection else { return }
    let driver = SQLiteSaveDriver(store, connection, author: request.editingState.author)
    current?.driver = driver
    try explaining(driver) { try driver.run(request) }
  }

  func commit() throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    guard let attempt = current, let driver = attempt.driver else { throw DataStoreError.unsupportedFeature }
    try explaining(driver) { try attempt.session.connection.commit(attempt.isNested) }
    current = nil
    attempt.session.end(isCommitted: true)
    store.persistedMarks.formUnion(driver.newMarks)
    return driver.result
  }

  func end() {
    guard let attempt = current else { return }
    current = nil
    attempt.session.connection.rollBack(attempt.isNested)
    store.keys.restore(attempt.keysBefore)
    attempt.session.end(isCommitted: false)
  }

  /// Makes errors more specific while the transaction is open.
  private func explaining(_ driver: SQLiteSaveDriver, _ body: () throws -> Void) throws {
    do { try body() } catch { throw ConnectionPool.explanation(of: driver.explained(error)) }
  }
}

extension DefaultStore {
  /// Saves a request's changes in a single transaction.
  ///
  /// The store is unchanged if an error is thrown.
  ///
  /// - Throws: ``SwiftDataError/modelValidationFailure`` for constraints and required references,
  ///   ``SwiftDataError/saveConflict`` with the policy ``ConflictPolicy/fail``, ``StoredValueError`` for values that
  ///   cannot be stored, ``ExternalFileError`` for large value files, and ``SwiftDataError`` or ``SQLiteError`` if
  ///   writing to the store fails.
  public func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try SQLiteTransaction(self).save(request)
  }

  package func makeTransaction(readsFirst: Bool) -> any StoreTransaction { SQLiteTransaction(self) }
}

extension StoreTransaction {
  /// Saves the changes in a request that depends on no other store.
  package func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    do {
      defer { end() }
      try begin()
      try write(request, commitsNext: true)
      return try commit()
    } catch {
      guard try canRepeat(after: error) else { throw error }
      return try save(request)
    }
  }
}
