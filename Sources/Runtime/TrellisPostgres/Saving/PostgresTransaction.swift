import Synchronization
import Trellis

/// One attempt to save a request.
struct PostgresTransaction {
  let store: PostgresStore
  let connection: PostgresConnection
  /// True after a violated unique constraint and after the deletion of a missing row: the attempt reads the rows in question
  /// first.
  let checksRows: Bool

  func run(
    _ original: DataStoreSaveChangesRequest<DefaultSnapshot>,
    recheck: () throws -> DataStoreSaveChangesRequest<DefaultSnapshot>, beforeCommit: (() throws -> Void)?
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var request = original
    let look = request.looksForCommits ? CommitGuard(store) : nil
    let check = GenerationCheck(store)
    var statements = [PostgresStatement.begin]
    if let check { statements.append(check.lock) }
    if let look { statements.append(look.statement) }
    if let check { statements.append(check.statement) }
    do {
      let readsFirst = request.dataVersion != nil || !request.committed.isEmpty || checksRows
      if readsFirst {
        try connection.run(statements) { look?.note($1) }
        statements = []
        if request.dataVersion != nil { request = try recheck() }
        if !request.committed.isEmpty { try checkConflicts(request) }
      }
      let pass = PostgresSavePass(store, request, connection, checksRows: checksRows)
      let beginning = statements.count
      statements += try pass.makeStatements()
      var ending = TransactionEnd(store: store, save: pass.isRecorded ? pass.save : nil)
      if let beforeCommit {
        let recorded = statements.count - 1
        try connection.run(statements) { if $0 == recorded { ending.note($1) } }
        try beforeCommit()
        statements = []
      }
      return pass.result(
        try ending.commit(statements, connection, pass.result) { statement, row in
          if statement < beginning { look?.note(row) }
        })
    } catch {
      if !connection.isBroken { try? connection.run([.rollback]) }
      throw try explained(error, request)
    }
  }

  private func checkConflicts(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>) throws {
    try ConflictCheck(request: request).run { identifiers, definition, buffer in
      try store.rows(of: identifiers) { try definition.codec.read(statement: &$0, into: buffer) }
    }
  }

  // MARK: errors

  /// An error of the server in the terms of models.
  private func explained(
    _ error: any Error, _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> any Error {
    guard let error = error as? PostgresError else { return error }
    guard !connection.isBroken else {
      return error.needsExplanation
        ? PostgresError(.connectionLost, "the connection ended before the transaction did, and nothing was saved")
        : error
    }
    if error.isUnseenCommit, request.looksForCommits { return UnseenCommits() }
    if error.isMissingRow || error.isForeignKeyViolation {
      let present = try Set(store.identifiers(existing: request.updated.map(\.persistentIdentifier)))
      let lost = request.updated.map(\.persistentIdentifier).filter { !present.contains($0) }
      if !lost.isEmpty {
        return SwiftDataError.modelValidationFailure.listing(lost.map { .deletedElsewhere($0) })
      }
    }
    if error.isMissingRow {
      // A row to delete may be missing, and the next attempt tells.
      return checksRows ? PostgresError.writeSuppressed(written(request)) : error
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
