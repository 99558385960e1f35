import Foundation
import Synchronization
import Trellis

/// Commits a transaction and determines the history position after it.
struct TransactionEnd {
  let store: PostgresStore
  /// The save's identifier in the history; `nil` if the save is not recorded.
  let save: UUID?
  /// The transaction's history row, its transaction ID and its snapshot.
  ///
  /// `nil` until the last statement of ``PostgresStore/recording(_:_:_:)`` returns. The snapshot is `nil` if the
  /// engine has no snapshots, or if many other transactions have started since.
  var recorded: (number: Int64, xid: UInt64, snapshot: TransactionSnapshot?)?

  /// Reads the history row.
  mutating func record(_ row: ResultRow) {
    let snapshot = row.string(2).flatMap { TransactionSnapshot($0) }
    let xid = row.string(1).flatMap { UInt64($0) } ?? 0
    recorded = (row.integer(0) ?? 0, xid, snapshot?.including(xid))
  }

  /// Runs the transaction's last statements and commits.
  ///
  /// - Parameters:
  ///   - statements: The last one returns the history row, unless that row is already recorded.
  ///   - row: Called for each row that the other statements return.
  /// - Returns: The position after the transaction; `nil` if it is not recorded.
  /// - Throws: ``CommitInDoubt`` if the connection is lost.
  mutating func commit(
    _ statements: [PostgresStatement], _ connection: PostgresConnection, row: (Int, ResultRow) -> Void = { _, _ in }
  ) throws -> DefaultHistoryToken? {
    let last = save != nil && recorded == nil ? statements.count - 1 : -1
    var present: TransactionSnapshot?
    func snapshot(_ row: ResultRow) -> TransactionSnapshot? { row.string(0).flatMap { TransactionSnapshot($0) } }
    let presentSnapshot = PostgresStatement("SELECT \(store.commits.snapshot)")
    var isCommitted = false
    do {
      // If the engine has no snapshots, the position is only available after COMMIT.
      let ending = [.commit] + (save != nil && !store.commits.hasSnapshots ? [presentSnapshot] : [])
      try connection.run(statements + ending) { statement, cells in
        if statement == last {
          self.record(cells)
        } else if statement > statements.count {
          present = snapshot(cells)
        } else {
          row(statement, cells)
        }
      }
      isCommitted = true
      guard let save, let recorded else { return nil }
      if recorded.snapshot == nil, present == nil { present = try connection.rows(presentSnapshot, snapshot).first }
      store.notifier.notify(store)
      try? store.prune(after: recorded.number, connection)
      guard let seen = recorded.snapshot ?? present else { return store.token(HistoryPosition(recorded.number)) }
      let own = seen.through(recorded.xid, save.uuidString.lowercased())
      let mark = HistoryMark.reader(epoch: store.epoch.load(ordering: .relaxed), seen: own, current: own)
      return store.token(HistoryPosition(recorded.number, mark))
    } catch let error as PostgresError where error.endsConnection || isCommitted {
      throw CommitInDoubt(save: save, cause: error)
    }
  }
}

extension PostgresStore {
  /// Returns the statements that record a transaction. The last one returns the row for ``TransactionEnd/record(_:)``.
  func recording(_ save: UUID, _ state: EditingState, _ changes: [UInt8]) -> [PostgresStatement] {
    let ending: SQLFragment = "RETURNING \"id\", \(commits.xid())::text, \(commits.ownSnapshot)"
    return commits.insertion(
      save, author: state.author, changes, generation: generation.load(ordering: .relaxed), ending
    ).map { PostgresStatement($0) }
  }
}
