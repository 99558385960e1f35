import Foundation
import Synchronization
import Trellis

/// A save's transaction in a server store.
///
/// A save that does not read first takes one round trip: BEGIN, the changes and COMMIT are sent together, with a
/// ``CommitGuard`` that fails the transaction if there are unknown commits.
final class PostgresTransaction: StoreTransaction {
  private let store: PostgresStore
  /// Checks for unknown commits; `nil` if the context reads external commits before each attempt.
  private var look: CommitGuard?
  private var attempt = 1
  /// True after a unique constraint violation or the deletion of a missing row: the next attempt first reads the
  /// affected rows.
  private var checksRows = false
  /// The current attempt's connection.
  private var connection: PostgresConnection?
  private var pass: PostgresSavePass?
  /// Statements that are sent together with COMMIT.
  private var statements: [PostgresStatement] = []
  private var ending: TransactionEnd?

  init(_ store: PostgresStore, readsFirst: Bool) {
    self.store = store
    // As long as each check finds external commits, a save reads them first. Otherwise it would detect them in its
    // transaction and have to be sent twice.
    look = readsFirst || store.foundCommits.load(ordering: .relaxed) ? nil : CommitGuard(store)
  }

  var commitReading: CommitReading { look == nil ? .before : .afterFailure }

  func begin() throws {
    try store.checkWritable()
    let connection = try store.pool.checkOutConnection()
    self.connection = connection
    connection.begin([.begin] + store.generationCheck)
  }

  func write(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>, commitsNext: Bool) throws {
    guard let connection else { return }
    try explaining(request) {
      if !request.committed.isEmpty {
        try ConflictCheck(request: request).run { identifiers, definition, buffer in
          try store.rows(of: identifiers) { try definition.codec.read(statement: &$0, into: buffer) }
        }
      }
      let pass = PostgresSavePass(store, request, connection, checksRows: checksRows)
      statements = (look.map { [$0.statement] } ?? []) + (try pass.makeStatements())
      var ending = TransactionEnd(store: store, save: pass.isRecorded ? pass.save : nil)
      if !commitsNext {
        let last = statements.count - 1
        try connection.run(statements) { if $0 == last { ending.record($1) } }
        statements = []
      }
      self.pass = pass
      self.ending = ending
    }
  }

  func commit() throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    guard let connection, let pass, var ending else { throw DataStoreError.unsupportedFeature }
    do {
      return try explaining(pass.request) {
        let token = try ending.commit(statements, connection) { statement, row in
          if statement == 0 { look?.record(row) }
        }
        return pass.result(token)
      }
    } catch let doubt as CommitInDoubt {
      end()
      if let token = try store.token(of: doubt) { return pass.result(token) }
      throw PostgresError(.connectionLost, "the connection was lost before the save was committed: \(doubt.cause)")
    }
  }

  func end() {
    guard let connection else { return }
    (self.connection, pass) = (nil, nil)
    connection.rollBack()
    store.pool.checkIn(connection)
  }

  func canRepeat(after error: any Error) throws -> Bool {
    if look != nil, error is SwiftDataError || (error as? PostgresError)?.isUnseenCommit == true {
      look = nil
      return true
    }
    guard let error = error as? PostgresError else { return false }
    if error.refusesCopy, store.copiesRows.exchange(false, ordering: .relaxed) { return true }
    if error.concernsMissingObject { try store.checkTables() }
    if error.isUniqueViolation || error.isMissingRow, !checksRows {
      checksRows = true
      return true
    }
    let isLast = attempt >= store.commits.mostAttempts
    if error.isOfEarlierGeneration {
      try store.checkGeneration()
      if isLast { throw PostgresError.migratedMeanwhile }
    } else {
      // After an interruption, the server has not received the end of the transaction and therefore has not committed
      // it.
      let isTransient =
        error.isInterruption || error.isConflict || error.isUniqueViolation || error.concernsPreparedStatement
      guard isTransient, !isLast else { return false }
      store.pause(attempt)
    }
    attempt += 1
    return true
  }

  // MARK: errors

  private func explaining<Result>(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      guard let connection else { throw error }
      connection.rollBack()
      throw try explained(error, request, connection)
    }
  }

  /// Converts a server error to a model error.
  private func explained(
    _ error: any Error, _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ connection: PostgresConnection
  ) throws -> any Error {
    guard let error = error as? PostgresError, error.isMissingRow || error.isUnseenCommit || error.isForeignKeyViolation
    else { return error }
    guard !connection.isBroken else {
      return PostgresError(.connectionLost, "the connection was lost during the transaction, and nothing was saved")
    }
    if error.isUnseenCommit { return error }
    let updated = request.updated.map(\.persistentIdentifier)
    var present = Set<PersistentIdentifier>()
    try store.rows(of: updated) { present.insert($0.identifier) }
    var violations = updated.filter { !present.contains($0) }.map(SwiftDataError.Violation.deletedElsewhere)
    if violations.isEmpty, error.isForeignKeyViolation {
      // Finds the references by writing the changes once more and rolling them back.
      violations = (try? PostgresSavePass(store, request, connection, checksRows: true).orphans()) ?? []
    }
    if !violations.isEmpty { return SwiftDataError.modelValidationFailure.listing(violations) }
    // A row to delete may be missing; the next attempt detects it.
    guard error.isMissingRow, checksRows else { return error }
    let snapshots = request.inserted + request.updated + request.deleted
    return PostgresError.writeSuppressed(
      Set(snapshots.compactMap(\.buffer.definition?.entityName) + request.deletedRows.map(\.definition.entityName)))
  }
}
