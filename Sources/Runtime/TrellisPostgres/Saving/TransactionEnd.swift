import Foundation
import Synchronization
import Trellis

/// The end of a transaction: COMMIT, and the position of the history after it.
struct TransactionEnd {
  let store: PostgresStore
  /// The save in the history; nil if it is not recorded.
  let save: UUID?
  /// The row of the transaction in the history, with what the transaction sees, and the transaction; nil until the last
  /// statement of ``PostgresStore/recording(_:_:_:)`` has returned it. The snapshot is nil for an engine without snapshots,
  /// and if many others have begun meanwhile.
  var recorded: (number: Int64, xid: UInt64, snapshot: TransactionSnapshot?)?

  /// Reads the row of the history.
  mutating func note(_ row: ResultRow) {
    let snapshot = row.string(2).flatMap { TransactionSnapshot($0) }
    let xid = row.string(1).flatMap { UInt64($0) } ?? 0
    recorded = (row.integer(0) ?? 0, xid, snapshot?.including(xid))
  }

  /// Runs the last statements of the transaction and commits it.
  ///
  /// - Parameters:
  ///   - statements: the last one returns the row of the history, unless that is known.
  ///   - row: called for the rows of the other statements.
  /// - Returns: the position after the transaction; nil if it is not recorded.
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
      // Without snapshots, the transaction itself cannot tell its position.
      let ending = [.commit] + (save != nil && !store.commits.hasSnapshots ? [presentSnapshot] : [])
      try connection.run(statements + ending) { statement, cells in
        if statement == last {
          self.note(cells)
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
  /// The statements that write a transaction of the history. The last one returns what ``TransactionEnd/note(_:)`` reads.
  func recording(_ save: UUID, _ state: EditingState, _ changes: [UInt8]) -> [PostgresStatement] {
    let ending: SQLFragment = "RETURNING \"id\", \(commits.xid())::text, \(commits.ownSnapshot)"
    return commits.insertion(
      save, author: state.author, changes, generation: generation.load(ordering: .relaxed), ending
    ).map { PostgresStatement($0) }
  }
}
