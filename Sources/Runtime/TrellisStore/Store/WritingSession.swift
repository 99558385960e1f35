/// A single thread's use of the writing connection, which keeps external files in step with the transaction.
struct WritingSession {
  private let store: DefaultStore
  let connection: Connection
  /// `nil` in a nested transaction. The enclosing transaction resolves the files.
  private let files: ExternalFiles?

  init(_ store: DefaultStore, for purpose: TracedStatement.Purpose) throws {
    self.store = store
    connection = try store.pool.checkOutWriter(for: purpose)
    files = connection.isInTransaction ? nil : store.files
    do {
      try files?.recover(connection)
    } catch {
      store.pool.checkIn(writer: connection)
      throw error
    }
  }

  func end(isCommitted: Bool) {
    store.history?.own.end(isCommitted: isCommitted)
    if let files, isCommitted {
      files.resolve()
      // The data is saved. Files that cannot be removed now are removed later.
      try? files.collect(connection)
    } else if let files, files.hasWritten {
      // The rows show whether the transaction was committed.
      try? files.recover(connection)
      files.resolve()
    }
    store.pool.checkIn(writer: connection)
  }
}

extension DefaultStore {
  /// Runs `body` with the writing connection, inside a transaction that is rolled back if `body` throws.
  func writeTransaction<T>(
    for purpose: TracedStatement.Purpose = .save, _ body: (Connection) throws -> T
  ) throws -> T {
    try writing(for: purpose) { connection in
      try connection.write {
        try checkVersion(connection)
        return try body(connection)
      }
    }
  }

  /// Runs `body` with the writing connection and keeps external files in step with the transactions in `body`.
  func writing<T>(
    for purpose: TracedStatement.Purpose = .save, _ body: (Connection) throws -> T
  ) throws -> T {
    let session = try WritingSession(self, for: purpose)
    do {
      let result = try body(session.connection)
      session.end(isCommitted: true)
      return result
    } catch {
      session.end(isCommitted: false)
      throw ConnectionPool.explanation(of: error)
    }
  }
}
