import Synchronization

/// The numbers of the transactions that a store has written itself.
final class OwnTransactions: Sendable {
  private struct State {
    var written = RowRuns()
    /// Written, and not yet known to be committed.
    var pending: Int64?
  }

  private let state = Mutex(State())

  func begin(_ number: Int64) { state.withLock { $0.pending = number } }

  /// The transaction has ended.
  func end(isCommitted: Bool) {
    state.withLock { state in
      if isCommitted, let number = state.pending { state.written.append(number) }
      state.pending = nil
    }
  }

  /// Which of some transactions are of this store.
  func contains(_ numbers: [Int64]) -> [Bool] {
    state.withLock { state in
      let runs = state.written.runs
      return numbers.map { number in
        number == state.pending || runs.contains { $0.contains(number) }
      }
    }
  }

  /// Forgets those that nobody will ask for any more.
  func forget(through last: Int64) {
    state.withLock { state in
      var rest = RowRuns()
      for run in state.written.runs where run.end > last + 1 {
        for number in max(run.first, last + 1)..<run.end { rest.append(number) }
      }
      state.written = rest
    }
  }
}
