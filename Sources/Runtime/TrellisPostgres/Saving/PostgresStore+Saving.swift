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
