import Foundation
import Synchronization
import Trellis

/// The connection was lost while the server may have committed a transaction.
struct CommitInDoubt: Error, @unchecked Sendable {  // thrown and caught by one call
  /// The save in the history; nil if it is not recorded there.
  let save: UUID?
  let cause: PostgresError
  /// The result of the save if it was committed, with the position after its transaction.
  let result: (HistoryPosition?) throws -> DataStoreSaveChangesResult<DefaultSnapshot>
}

extension PostgresStore {
  /// The result of a save whose transaction was committed; nil if it was not and cannot be any more.
  ///
  /// The store records the same save once more, without changes. If the transaction is still running, this waits for its
  /// end, because the number of a save is unique. If it was committed, the record exists already. Otherwise the new record
  /// prevents the commit.
  ///
  /// - Throws: ``PostgresError/Code/commitOutcomeUnknown`` if the server cannot tell.
  func outcome(of doubt: CommitInDoubt) throws -> DataStoreSaveChangesResult<DefaultSnapshot>? {
    guard let save = doubt.save else { throw unknown(doubt.cause) }
    let deadline = ContinuousClock.now + configuration.timeouts.pool
    while true {
      do {
        return try pool.withConnection { connection in
          // Without BEGIN, all statements of one round trip are one transaction.
          let insertion = commits.insertion(
            save, process: "", nil, generation: generation.load(ordering: .relaxed), "ON CONFLICT (\"save\") DO NOTHING")
          try connection.run(insertion.map { PostgresStatement($0, dialect) })
          var number: Int64?
          let moment = try moment(connection)
          try connection.run(
            PostgresStatement(
              """
              SELECT "id" FROM \(name: tables.transactions) WHERE "save" = \(value: .text(save.uuidString))
              AND "process" <> ''
              """, dialect)
          ) { number = $0.integer(0) }
          return try number.map { try doubt.result(moment.last($0)) }
        }
      } catch let error as PostgresError {
        // After a restart the server needs some time before it accepts connections.
        guard error.endsConnection || error.isConflict, ContinuousClock.now < deadline else { throw unknown(error) }
        Thread.sleep(forTimeInterval: 0.1)
      }
    }
  }

  private func unknown(_ cause: PostgresError) -> PostgresError {
    PostgresError(
      .commitOutcomeUnknown,
      "the connection to \(pool.place) was lost while a save was committed, and the store cannot tell whether it was: read "
        + "the models again before you repeat the save; the cause: \(cause)")
  }
}
