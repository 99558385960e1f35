import CSQLite
import Synchronization

/// Tells whether anybody else has committed to a file, without asking it: a look at shared memory.
///
/// Every commit counts one up in the index of the log. The connection that writes for this program knows
/// what it has counted itself, as nobody else can commit while it holds the lock: what is beyond that is
/// of others.
final class CommitCount: Sendable {
  private let index: WALIndexHeader
  /// The count up to which every commit is this program's own, or was looked at.
  private let known: Atomic<UInt32>
  /// How often this program has begun a commit and ended it: odd while one is under way, which may be counted
  /// and not yet known.
  private let turns = Atomic<UInt32>(0)
  /// Whether some of what is beyond that may be this program's own.
  private let isMixed = Atomic<Bool>(false)

  /// - Parameter connection: open as long as this is used.
  init?(_ connection: Connection) {
    guard let index = WALIndexHeader(connection.handle) else { return nil }
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
  ///
  /// Followed by ``didCommit(isCurrent:hasWritten:)``, also where that fails.
  @inline(__always) func willCommit() -> Bool {
    turns.wrappingAdd(1, ordering: .acquiringAndReleasing)
    return !hasNews
  }

  /// To be called when it has.
  ///
  /// - Parameters:
  ///   - isCurrent: what ``willCommit()`` said.
  ///   - hasWritten: whether rows were written; where that is not certain, others look once in vain.
  @inline(__always) func didCommit(isCurrent: Bool, hasWritten: Bool) {
    if isCurrent, hasWritten {
      known.wrappingAdd(1, ordering: .releasing)
    } else if hasNews {
      isMixed.store(true, ordering: .releasing)
    }
    turns.wrappingAdd(1, ordering: .releasing)
  }

  /// The turn of this program's own commits; nil while one is under way.
  var turn: UInt32? {
    let turn = turns.load(ordering: .acquiring)
    return turn % 2 == 0 ? turn : nil
  }

  /// Whether commits of this program's own may be among those that look like others' since that was last asked.
  func takeMixed() -> Bool { isMixed.exchange(false, ordering: .acquiringAndReleasing) }

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
