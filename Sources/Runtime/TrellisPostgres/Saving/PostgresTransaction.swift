import Foundation
import Synchronization
import Trellis

/// The transaction of a save in a server store.
///
/// A save that reads nothing first takes one round trip: the beginning, the changes and COMMIT are sent together, with a
/// ``CommitGuard`` that lets the transaction fail if there are unknown commits.
final class PostgresTransaction: StoreTransaction {
  private let store: PostgresStore
  /// Nil if the context reads the commits of others before each attempt.
  private var look: CommitGuard?
  private var experience = Experience()
  private var current: Attempt?

  /// What earlier attempts have shown.
  private struct Experience {
    var attempt = 1
    /// True after a violated unique constraint and after the deletion of a missing row: the next attempt first reads the
    /// rows in question.
    var checksRows = false
    /// True if the connection was lost and the server has not committed the transaction.
    var isUncommitted = false
  }

  private struct Attempt {
    let connection: PostgresConnection
    var written: Written?
  }

  private struct Written {
    let request: DataStoreSaveChangesRequest<DefaultSnapshot>
    let pass: PostgresSavePass
    /// What is sent together with COMMIT.
    var statements: [PostgresStatement]
    var ending: TransactionEnd
  }

  init(_ store: PostgresStore, readsFirst: Bool) {
    self.store = store
    // While others commit, a save reads their commits first: a save that finds some in its transaction is sent twice.
    look = readsFirst || store.foundCommits.load(ordering: .relaxed) ? nil : CommitGuard(store)
  }

  var commitReading: CommitReading { look == nil ? .before : .afterFailure }

  func begin() throws {
    try store.checkWritable()
    let connection = try store.pool.takeConnection()
    current = Attempt(connection: connection)
    let check = GenerationCheck(store)
    connection.begin([.begin] + (check.map { [$0.lock, $0.statement] } ?? []))
  }

  func write(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>, commitsNext: Bool) throws {
    guard let connection = current?.connection else { return }
    try explaining(request) {
      if !request.committed.isEmpty { try checkConflicts(request) }
      let pass = PostgresSavePass(store, request, connection, checksRows: experience.checksRows)
      let statements = (look.map { [$0.statement] } ?? []) + (try pass.makeStatements())
      let ending = TransactionEnd(store: store, save: pass.isRecorded ? pass.save : nil)
      var written = Written(request: request, pass: pass, statements: statements, ending: ending)
      if !commitsNext {
        try connection.run(statements) { if $0 == statements.count - 1 { written.ending.note($1) } }
        written.statements = []
      }
      current?.written = written
    }
  }

  func commit() throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    guard let connection = current?.connection, let written = current?.written else {
      throw DataStoreError.unsupportedFeature
    }
    do {
      return try explaining(written.request) {
        var ending = written.ending
        let position = try ending.commit(written.statements, connection, written.pass.result) { statement, row in
          if statement == 0 { look?.note(row) }
        }
        return written.pass.result(position)
      }
    } catch let doubt as CommitInDoubt {
      end()
      if let result = try store.outcome(of: doubt) { return result }
      experience.isUncommitted = true
      throw doubt.cause
    }
  }

  func end() {
    guard let connection = current?.connection else { return }
    current = nil
    connection.rollBack()
    store.pool.giveBack(connection)
  }

  func canRepeat(after error: any Error) throws -> Bool {
    if look != nil, error is SwiftDataError || (error as? PostgresError)?.isUnseenCommit == true {
      look = nil
      return true
    }
    if error is CopyRefused {
      store.copiesRows.store(false, ordering: .relaxed)
      return true
    }
    guard let error = error as? PostgresError else { return false }
    if error.concernsMissingObject { try store.checkTables() }
    let isLast = experience.attempt >= store.commits.mostAttempts
    if error.isOfEarlierGeneration {
      try store.checkGeneration()
      guard !isLast else { throw PostgresError.migratedMeanwhile }
      experience.attempt += 1
      return true
    }
    if error.isUniqueViolation || error.isMissingRow, !experience.checksRows {
      experience.checksRows = true
      return true
    }
    // After an interruption: the server has not seen the end of the transaction, so it has not committed it.
    let isTransient =
      error.isInterruption || error.isConflict || error.isUniqueViolation || error.concernsPreparedStatement
    guard isTransient || experience.isUncommitted, !isLast else { return false }
    if !experience.isUncommitted { store.pause(experience.attempt) }
    experience.isUncommitted = false
    experience.attempt += 1
    return true
  }

  private func checkConflicts(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>) throws {
    try ConflictCheck(request: request).run { identifiers, definition, buffer in
      try store.rows(of: identifiers) { try definition.codec.read(statement: &$0, into: buffer) }
    }
  }

  // MARK: errors

  private func explaining<Result>(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      guard let connection = current?.connection else { throw error }
      connection.rollBack()
      throw try explained(error, request, connection)
    }
  }

  /// An error of the server in the terms of models.
  private func explained(
    _ error: any Error, _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ connection: PostgresConnection
  ) throws -> any Error {
    guard let error = error as? PostgresError else { return error }
    guard !connection.isBroken else {
      return error.needsExplanation
        ? PostgresError(.connectionLost, "the connection ended before the transaction did, and nothing was saved")
        : error
    }
    if error.isMissingRow || error.isForeignKeyViolation {
      let present = try Set(store.identifiers(existing: request.updated.map(\.persistentIdentifier)))
      let lost = request.updated.map(\.persistentIdentifier).filter { !present.contains($0) }
      if !lost.isEmpty {
        return SwiftDataError.modelValidationFailure.listing(lost.map { .deletedElsewhere($0) })
      }
    }
    if error.isMissingRow {
      // A row to delete may be missing, and the next attempt tells.
      return experience.checksRows ? PostgresError.writeSuppressed(written(request)) : error
    }
    if error.isForeignKeyViolation {
      let orphans = try OrphanedReferences(store: store, request: request).violations()
      if !orphans.isEmpty { return SwiftDataError.modelValidationFailure.listing(orphans) }
    }
    return error
  }

  /// The names of the models with rows in a request.
  private func written(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>) -> Set<String> {
    let snapshots = request.inserted + request.updated + request.deleted
    return Set(snapshots.compactMap(\.buffer.definition?.entityName) + request.deletedRows.map(\.definition.entityName))
  }
}
