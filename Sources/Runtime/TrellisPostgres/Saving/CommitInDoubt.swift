import Foundation
import Synchronization
import Trellis

/// Thrown if the connection is lost while the server may have committed a transaction.
struct CommitInDoubt: Error {
  /// The save's identifier in the history; `nil` if the save is not recorded.
  let save: UUID?
  let cause: PostgresError
}

extension PostgresStore {
  /// Determines whether a transaction was committed. Returns the position after it, or `nil` if it was not committed
  /// and no longer can be.
  ///
  /// Records the same save again, without changes. If the transaction is still running, the insertion waits until it
  /// ends, because save identifiers are unique. If it was committed, the record already exists. Otherwise the new
  /// record prevents a later commit.
  ///
  /// - Throws: ``PostgresError/Code/commitOutcomeUnknown`` if the outcome cannot be determined.
  func token(of doubt: CommitInDoubt) throws -> DefaultHistoryToken? {
    guard let save = doubt.save else { throw unknown(doubt.cause) }
    let deadline = ContinuousClock.now + configuration.timeouts.pool
    return try PostgresError.repeating {
      try pool.withConnection { connection in
        // Without BEGIN, all statements in a round trip form one transaction.
        try connection.execute(
          commits.insertion(
            save, process: "", nil, generation: generation.load(ordering: .relaxed),
            "ON CONFLICT (\"save\") DO NOTHING"))
        let moment = try moment(connection)
        let number = try connection.rows(
          """
          SELECT "id" FROM \(name: tables.transactions) WHERE "save" = \(value: .text(save.uuidString))
          AND "process" <> ''
          """
        ) { $0.integer(0) }
        return number.first.map { token(moment.last($0)) }
      }
    } after: { error, _ in
      // After a restart, the server takes some time before it accepts connections.
      guard error.endsConnection || error.isConflict, ContinuousClock.now < deadline else { throw unknown(error) }
      Thread.sleep(forTimeInterval: 0.1)
      return true
    }
  }

  private func unknown(_ cause: PostgresError) -> PostgresError {
    PostgresError(
      .commitOutcomeUnknown,
      "the connection to \(pool.place) was lost during a commit, and the outcome is unknown: read the models "
        + "again before you repeat the save; cause: \(cause)")
  }
}
