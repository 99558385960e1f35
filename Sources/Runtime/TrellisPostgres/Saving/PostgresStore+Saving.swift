import Foundation
import Synchronization
public import Trellis

extension PostgresStore {
  /// Writes a request's changes in one transaction.
  ///
  /// The transaction is retried after a conflict. If the connection is lost, the store determines whether the
  /// transaction was committed.
  ///
  /// - Throws: `SwiftDataError.modelValidationFailure` for constraints and required references,
  ///   `SwiftDataError.saveConflict` with the policy `ConflictPolicy.fail`, and ``PostgresError``. Nothing is saved in
  ///   these cases, unless the error is ``PostgresError/Code/commitOutcomeUnknown``.
  public func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try PostgresTransaction(self, readsFirst: true).save(request)
  }

  package func makeTransaction(readsFirst: Bool) -> any StoreTransaction {
    PostgresTransaction(self, readsFirst: readsFirst)
  }

  /// Waits for a random time that increases with each attempt, so that two saves do not collide again.
  func pause(_ attempt: Int) {
    Thread.sleep(forTimeInterval: Double.random(in: 0.001...0.004) * Double(1 << min(attempt, 6)))
  }
}

extension PostgresStore {
  func newKeys(_ count: Int, of plan: EntityStatements, _ connection: PostgresConnection) throws -> [Range<Int64>] {
    try keys.take(count, of: plan.entity.table, connection, server: server(of: connection))
  }
}

extension PostgresStore {
  /// Statements that fail the transaction if a migration has excluded this app version. Empty if the store records
  /// history, because a constraint on the history rows then checks the generation.
  var generationCheck: [PostgresStatement] {
    guard history == nil, commits.hasSnapshots else { return [] }
    return [
      // Blocks migrations until the transaction ends. Precedes all reading statements, so that their snapshot contains
      // earlier migrations.
      PostgresStatement("LOCK TABLE \(name: tables.transactions) IN ACCESS SHARE MODE"),
      // Takes the square root of a negative number if the generation differs.
      PostgresStatement(
        """
        SELECT sqrt(CASE WHEN \(HistoryState.field("generation")) =
        \(value: .text(String(generation.load(ordering: .relaxed)))) THEN 1 ELSE -1 END::double precision)
        FROM \(name: tables.metadata) WHERE "key" = \(value: .text(HistoryState.key))
        """),
    ]
  }
}
