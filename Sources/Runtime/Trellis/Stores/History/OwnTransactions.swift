import Synchronization

/// The numbers of the transactions that a store has written itself.
final class OwnTransactions: Sendable {
  private struct State {
    var written = RowRuns()
    /// Written, and not yet known to be committed.
    var pending: Int64?
  }

  private let state = Mutex(State())
  /// The minimum number of runs that are kept, for callers with an old position.
  private static let limit = 4_096

  func begin(_ number: Int64) { state.withLock { $0.pending = number } }

  /// The transaction has ended.
  func end(isCommitted: Bool) {
    state.withLock { state in
      if isCommitted, let number = state.pending { state.written.append(number) }
      if state.written.complete.count > 2 * Self.limit { state.written.removeFirst(Self.limit) }
      state.pending = nil
    }
  }

  /// Which of some transactions are of this store.
  func contains(_ numbers: [Int64]) -> [Bool] {
    state.withLock { state in
      let runs = state.written.runs
      return numbers.map { number in
        number == state.pending || Self.run(from: number, in: runs)?.contains(number) == true
      }
    }
  }

  /// Whether all transactions of a range are.
  func contains(_ range: ClosedRange<Int64>) -> Bool {
    state.withLock { state in
      guard let run = Self.run(from: range.lowerBound, in: state.written.runs), run.contains(range.lowerBound)
      else { return false }
      return run.contains(range.upperBound)
    }
  }

  /// The first run that ends after a number: numbers only grow.
  private static func run(from number: Int64, in runs: [RowRuns.Run]) -> RowRuns.Run? {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].end > number { high = middle } else { low = middle + 1 }
    }
    return low < runs.count ? runs[low] : nil
  }
}
