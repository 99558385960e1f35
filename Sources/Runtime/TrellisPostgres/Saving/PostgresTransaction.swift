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
    var begun = false
    do {
      let readsFirst = request.dataVersion != nil || !request.committed.isEmpty || checksRows
      if readsFirst {
        try connection.run([.begin])
        begun = true
        if request.dataVersion != nil { request = try recheck() }
        if !request.committed.isEmpty { try checkConflicts(request) }
      }
      var merger: SnapshotMerger?
      if checksRows { (request, merger) = try PostgresMerge(store: store, request: request).settled() }
      var pass = try PostgresSavePass(store, request, connection)
      pass.checksRows = checksRows
      let written = try pass.makeStatements(connection)
      var statements = begun ? [] : [PostgresStatement.begin]
      statements += written
      func result(_ position: HistoryPosition?) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        let result = pass.result(position)
        return try merger?.result(result, for: request) ?? result
      }
      var recorded = pass.isRecorded ? statements.count - 1 : -1
      var position = HistoryPosition(0)
      if let beforeCommit {
        begun = true
        try connection.run(statements) { if $0 == recorded { position.number = $1.integer(0) ?? 0 } }
        try beforeCommit()
        statements = []
        recorded = -1
      }
      statements.append(.commit)
      // The transaction itself cannot tell which others are visible after it.
      if pass.isRecorded { statements.append(PostgresStatement("SELECT \(store.commits.snapshot)", store.dialect)) }
      let last = statements.count - 1
      try commit(pass, statements, result) { statement, row in
        if statement == recorded {
          position.number = row.integer(0) ?? 0
        } else if statement == last, let snapshot = row.string(0).flatMap({ TransactionSnapshot($0) }) {
          position.mark = .reader(epoch: store.epoch.load(ordering: .relaxed), seen: snapshot, current: snapshot)
        }
      }
      guard pass.isRecorded else { return try result(nil) }
      store.notifier.notify(store)
      try? store.prune(after: position.number, connection)
      return try result(position)
    } catch {
      if !connection.isBroken { try? connection.run([.rollback]) }
      throw try explained(error, request)
    }
  }

  /// Runs the last statements of the transaction.
  ///
  /// - Throws: ``CommitInDoubt`` if the connection is lost.
  private func commit(
    _ pass: PostgresSavePass, _ statements: [PostgresStatement],
    _ result: @escaping (HistoryPosition?) throws -> DataStoreSaveChangesResult<DefaultSnapshot>,
    row: (Int, ResultRow) throws -> Void = { _, _ in }
  ) throws {
    do {
      try connection.run(statements, row: row)
    } catch let error as PostgresError where error.endsConnection {
      throw CommitInDoubt(save: pass.isRecorded ? pass.save : nil, cause: error, result: result)
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
    guard let error = error as? PostgresError, !connection.isBroken else { return error }
    if error.isMissingRow {
      let present = try Set(store.identifiers(existing: request.updated.map(\.persistentIdentifier)))
      let lost = request.updated.filter { !present.contains($0.persistentIdentifier) }
      guard !lost.isEmpty else { return error }
      return SwiftDataError.modelValidationFailure.listing(lost.map { .deletedElsewhere($0.persistentIdentifier) })
    }
    if error.isForeignKeyViolation {
      let orphans = try OrphanedReferences(store: store, request: request).violations()
      if !orphans.isEmpty { return SwiftDataError.modelValidationFailure.listing(orphans) }
    }
    return error
  }
}
