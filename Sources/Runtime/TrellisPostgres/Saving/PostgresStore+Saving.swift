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
    try PostgresTransaction(self, readsFirst: true).save(request)
  }

  package func makeTransaction(readsFirst: Bool) -> any StoreTransaction {
    PostgresTransaction(self, readsFirst: readsFirst)
  }

  /// Waits longer from time to time and never the same, so that two saves do not meet again.
  func pause(_ attempt: Int) {
    Thread.sleep(forTimeInterval: Double.random(in: 0.001...0.004) * Double(1 << min(attempt, 6)))
  }
}

extension PostgresStore {
  func takeKeys(_ count: Int, of plan: EntityStatements, _ connection: PostgresConnection) throws -> [Range<Int64>] {
    try keys.take(count, of: plan.entity.table, connection, server: server(of: connection))
  }
}

extension PostgresStore {
  /// Statements that let a transaction fail if a migration has excluded the program, for a store that records no history:
  /// no row has the generation then, which a constraint of the history checks. None if the rows of the history are checked.
  var generationCheck: [PostgresStatement] {
    guard history == nil, commits.hasSnapshots else { return [] }
    return [
      // Keeps migrations from starting until the end of the transaction. It comes before all statements that read, whose
      // snapshot then contains the earlier migrations.
      PostgresStatement("LOCK TABLE \(name: tables.transactions) IN ACCESS SHARE MODE"),
      // Takes a square root of a negative number if the generation is another one.
      PostgresStatement(
        """
        SELECT sqrt(CASE WHEN \(HistoryState.field("generation")) =
        \(value: .text(String(generation.load(ordering: .relaxed)))) THEN 1 ELSE -1 END::double precision)
        FROM \(name: tables.metadata) WHERE "key" = \(value: .text(HistoryState.key))
        """),
    ]
  }
}
