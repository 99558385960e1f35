import CSQLite
import Synchronization

/// Detects commits of other connections to a file by reading shared memory.
///
/// Every commit increases a counter in the WAL index header. The writer of this store knows which of these commits are
/// its own, because no other connection commits while it holds the write lock. The remaining ones are of other
/// processes or containers.
package final class CommitCount: Sendable {
  private let index: WALIndexHeader
  /// The counter up to which all commits are the store's own or have been read.
  private let known: Atomic<UInt32>
  /// Increases when a commit of the store begins and when it ends; odd during a commit, which may be counted and not
  /// yet known.
  private let turns = Atomic<UInt32>(0)
  /// True if some of the unread commits may be the store's own.
  private let isMixed = Atomic<Bool>(false)

  /// - Parameter connection: stays open as long as the count is used.
  package init?(_ connection: Connection) {
    guard let index = WALIndexHeader(connection.handle) else { return nil }
    self.index = index
    known = Atomic(index.commits)
  }

  /// True if another connection has committed since the last read.
  @inline(__always) package var hasExternalCommits: Bool {
    index.commits != known.load(ordering: .acquiring)
  }

  /// The counter of all commits, which wraps around after 2³² commits.
  package var count: UInt32 { index.commits }

  /// Called with the write lock held, directly before COMMIT. ``didCommit(isCurrent:hasWritten:)`` follows, also if the
  /// commit fails.
  ///
  /// - Returns: true if no other connection has committed since the last read.
  @inline(__always) package func willCommit() -> Bool {
    turns.wrappingAdd(1, ordering: .acquiringAndReleasing)
    return !hasExternalCommits
  }

  /// Called after COMMIT.
  ///
  /// - Parameters:
  ///   - isCurrent: the result of ``willCommit()``.
  ///   - hasWritten: true if the transaction has changed rows.
  @inline(__always) package func didCommit(isCurrent: Bool, hasWritten: Bool) {
    if isCurrent, hasWritten {
      known.wrappingAdd(1, ordering: .releasing)
    } else if hasExternalCommits {
      isMixed.store(true, ordering: .releasing)
    }
    turns.wrappingAdd(1, ordering: .releasing)
  }

  /// The number of the store's own commits, times two; nil during a commit.
  package var turn: UInt32? {
    let turn = turns.load(ordering: .acquiring)
    return turn % 2 == 0 ? turn : nil
  }

  /// True if some of the unread commits may be the store's own; resets the answer.
  package func takeMixed() -> Bool { isMixed.exchange(false, ordering: .acquiringAndReleasing) }

  /// The position before a read of the other commits.
  package var mark: Mark { Mark(known: known.load(ordering: .acquiring), commits: index.commits) }

  package struct Mark {
    fileprivate var known: UInt32
    fileprivate var commits: UInt32
  }

  /// Called after reading the commits since a mark.
  package func note(_ mark: Mark) {
    // The next read finds commits that were made during this one.
    _ = known.compareExchange(
      expected: mark.known, desired: mark.commits, ordering: .acquiringAndReleasing)
  }
}
