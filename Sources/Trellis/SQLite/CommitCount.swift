import CSQLite
import Synchronization

/// Tells whether anybody else has committed to a file, without asking it: a look at shared memory.
///
/// Every commit counts one up in the index of the log. The connection that writes for this program knows
/// what it has counted itself, as nobody else can commit while it holds the lock: what is beyond that is
/// of others.
final class CommitCount: Sendable {
  private let index: LogIndex
  /// The count up to which every commit is this program's own, or was looked at.
  private let known: Atomic<UInt32>

  /// - Parameter connection: open as long as this is used.
  init?(_ connection: Connection) {
    guard let index = LogIndex(connection.handle) else { return nil }
    self.index = index
    known = Atomic(index.commits)
  }

  /// Whether somebody else has committed since that was last looked at.
  @inline(__always) var hasNews: Bool {
    index.commits != known.load(ordering: .acquiring)
  }

  /// All commits there were, of this program and of others; begins anew after four billion.
  var count: UInt32 { index.commits }

  /// To be called by the one who holds the lock on the file, just before it commits.
  @inline(__always) func willCommit() -> Bool { !hasNews }

  /// To be called when it has.
  ///
  /// - Parameters:
  ///   - isCurrent: what ``willCommit()`` said.
  ///   - hasWritten: whether rows were written; where that is not certain, others look once in vain.
  @inline(__always) func didCommit(isCurrent: Bool, hasWritten: Bool) {
    if isCurrent, hasWritten { known.wrappingAdd(1, ordering: .releasing) }
  }

  /// Where a look at the file begins.
  var mark: Mark { Mark(known: known.load(ordering: .acquiring), commits: index.commits) }

  struct Mark {
    fileprivate var known: UInt32
    fileprivate var commits: UInt32
  }

  /// To be called after a look that began at a mark.
  func note(_ mark: Mark) {
    // Whoever has committed meanwhile is found by the next look.
    _ = known.compareExchange(
      expected: mark.known, desired: mark.commits, ordering: .acquiringAndReleasing)
  }
}
