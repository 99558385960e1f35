import Foundation
import Synchronization
public import Trellis

extension PostgresStore {
  /// Writes the changes of a request in one transaction.
  ///
  /// The transaction is repeated if the server has ended it because of another one. After a lost connection the store
  /// looks up whether the transaction was committed.
  ///
  /// - Throws: `SwiftDataError.modelValidationFailure` for constraints and required references,
  ///   `SwiftDataError.saveConflict` with the policy `ConflictPolicy.fail`, and ``PostgresError``. Nothing is saved
  ///   then, unless the error is ``PostgresError/Code/commitOutcomeUnknown``.
  public func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try save(request, recheck: { request }, beforeCommit: nil)
  }

  package func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>,
    recheck: () throws -> DataStoreSaveChangesRequest<DefaultSnapshot>, beforeCommit: (() throws -> Void)?
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try checkWritable()
    var checksRows = false
    var attempt = 1
    // Other stores save their part in `beforeCommit`, which cannot be repeated.
    var isRepeatable = true
    let beforeCommit = beforeCommit.map { body in
      {
        isRepeatable = false
        try body()
      }
    }
    while true {
      do {
        return try pool.withConnection { connection in
          try PostgresTransaction(store: self, connection: connection, checksRows: checksRows)
            .run(request, recheck: recheck, beforeCommit: beforeCommit)
        }
      } catch let doubt as CommitInDoubt {
        if let result = try outcome(of: doubt) { return result }
        // The transaction cannot be committed any more.
        guard isRepeatable, attempt < commits.mostAttempts else { throw doubt.cause }
      } catch let refusal as CopyRefused {
        copiesRows.store(false, ordering: .relaxed)
        guard isRepeatable else { throw refusal.cause }
        continue
      } catch let error as PostgresError {
        if error.concernsMissingObject { try checkTables() }
        if error.isOfEarlierGeneration {
          try checkGeneration()
          guard isRepeatable, attempt < commits.mostAttempts else { throw PostgresError.migratedMeanwhile }
          attempt += 1
          continue
        }
        if error.isUniqueViolation || error.isMissingRow, !checksRows, isRepeatable {
          checksRows = true
          continue
        }
        // After an interruption: the server has not seen the end of the transaction, so it has not committed it.
        let isTransient =
          error.isInterruption || error.isConflict || error.isUniqueViolation || error.concernsPreparedStatement
        guard isTransient, isRepeatable, attempt < commits.mostAttempts else { throw error }
        pause(attempt)
      }
      attempt += 1
    }
  }

  /// Waits longer from time to time and never the same, so that two saves do not meet again.
  func pause(_ attempt: Int) {
    Thread.sleep(forTimeInterval: Double.random(in: 0.001...0.004) * Double(1 << min(attempt, 6)))
  }
}

extension PostgresStore {
  /// Those of some identifiers that have a row.
  func identifiers(existing identifiers: [PersistentIdentifier]) throws -> [PersistentIdentifier] {
    var found: [PersistentIdentifier] = []
    for (token, group) in Dictionary(grouping: identifiers.filter { !$0.isTemporary }, by: \.token) {
      guard let plan = try plans.plan(of: token, identifier) else { continue }
      let statement = statement(
        "SELECT \(plan.key) FROM \(plan.source) WHERE \(dialect.isKey(plan.key, in: "?1"))",
        keys: group.compactMap(\.row))
      try reading {
        try $0.run(statement) { found.append(PersistentIdentifier(token: token, row: $0.integer(0) ?? 0)) }
      }
    }
    return found
  }
}
