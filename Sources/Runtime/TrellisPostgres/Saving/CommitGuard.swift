import Synchronization
import Trellis

/// Detects external commits that the store's contexts have not seen.
///
/// The guard is a save's first statement. If there are such commits, it fails before anything is written, and the
/// server skips the rest of the round trip. A save therefore needs no separate query to check for them.
struct CommitGuard {
  let store: PostgresStore
  private let last: HistoryMoment
  private let instance: String

  /// `nil` before the store first checks for commits, on a standby, and for an engine that has no snapshots.
  init?(_ store: PostgresStore) {
    guard let last = store.lastLook.withLock({ $0 }), last.server != nil, let instance = last.instance else {
      return nil
    }
    self.store = store
    self.last = last
    self.instance = instance
  }

  /// Returns the transaction's snapshot, and fails if there are unknown commits.
  var statement: PostgresStatement {
    statement("ln(CASE WHEN \(hasUnknownCommits) THEN 0 ELSE 1 END::double precision)")
  }

  /// Returns the snapshot, and whether there are unknown commits. This check takes the server 0.05 ms, compared with
  /// 0.5 ms for reading the commits.
  var question: PostgresStatement { statement(hasUnknownCommits) }

  private func statement(_ answer: SQLFragment) -> PostgresStatement {
    PostgresStatement("SELECT \(store.commits.snapshot), \(answer)")
  }

  private var hasUnknownCommits: SQLFragment {
    let commits = store.commits
    let own = store.saves.range
    return """
      (\(commits.instance) IS DISTINCT FROM \(value: .text(instance))
      OR (SELECT "value" FROM \(name: store.tables.metadata) WHERE "key" = \(value: .text(HistoryState.key)))
      IS DISTINCT FROM \(value: .text(last.stateText))
      OR EXISTS (SELECT 1 FROM \(name: store.tables.transactions) AS h WHERE h."process" <> ''
      AND h."id" > \(value: .integer(last.state.start))::bigint
      AND \(commits.isAtLeast(last.present.first, of: "h.")) AND NOT \(commits.isVisible(in: last.present, of: "h."))
      AND h."save" NOT BETWEEN \(value: .text(own.lowerBound.uuidString))::uuid
      AND \(value: .text(own.upperBound.uuidString))::uuid))
      """
  }

  /// Records that the transaction has seen no unknown commits, so that the next check begins at its snapshot.
  func record(_ row: ResultRow) {
    guard let snapshot = row.string(0).flatMap({ TransactionSnapshot($0) }) else { return }
    var now = last
    now.present = snapshot
    store.advanceLook(to: now)
  }
}
