import CSQLite
import Foundation

/// A read transaction that stays open between queries that follow each other closely.
///
/// Starting and ending a transaction takes file locks, which is most of the cost of a small query. The WAL index header
/// shows without a lock whether any connection has committed since. If so, the next query starts a new transaction, so
/// every query sees all commits before it. The pool ends the transaction after 10 ms without a query, and before it
/// writes, so that checkpoints do not wait for it.
package struct HeldReadTransaction {
  fileprivate enum Log {
    case unknown
    case none
    case index(WALIndexHeader)
  }

  fileprivate var log = Log.unknown
  /// The WAL index header before the transaction started; nil without a transaction.
  fileprivate var state: WALIndexHeader.State?
  /// The time of the last query, in milliseconds.
  fileprivate var lastQuery: Int64 = 0
  /// The number of queries in the transaction.
  fileprivate var queries = 0

  /// The longest pause between queries, in milliseconds, for which the transaction stays open.
  fileprivate static let longestPause: Int64 = 10
  /// The number of queries after which the page cache grows.
  fileprivate static let manyQueries = 64
}

extension Connection {
  /// True if a read transaction stays open for the next query.
  package var holdsReadTransaction: Bool { heldRead.state != nil }

  /// True if an idle connection has a transaction or memory to give up.
  package var holdsResources: Bool { holdsReadTransaction || cacheSize == .busy }

  /// True if the last query was more than 10 ms ago.
  package var isIdle: Bool { Self.milliseconds - heldRead.lastQuery > HeldReadTransaction.longestPause }

  /// Called before each query: the query will see every commit before it.
  package func prepareForQuery() throws {
    let now = Self.milliseconds
    defer { heldRead.lastQuery = now }
    if let state = heldRead.state {
      guard case .index(let index) = heldRead.log, index.state == state else {
        return try endHeldRead()
      }
      heldRead.queries += 1
      if heldRead.queries == HeldReadTransaction.manyQueries, cacheSize != .busy { try setCache(.busy) }
    } else if now - heldRead.lastQuery <= HeldReadTransaction.longestPause {
      try beginHeldRead()
    }
  }

  @inline(never) private func beginHeldRead() throws {
    if case .unknown = heldRead.log {
      let mode = try rows("PRAGMA journal_mode").first?.first
      heldRead.log = mode == .text("wal") ? WALIndexHeader(handle).map { .index($0) } ?? .none : .none
    }
    guard case .index(let index) = heldRead.log, !isInTransaction else { return }
    // The state is read before the transaction starts: a commit in between makes it differ.
    let state = index.state
    try begin()
    heldRead.state = state
  }

  /// Ends the held transaction, if there is one.
  package func endHeldRead() throws {
    guard holdsReadTransaction else { return }
    heldRead.state = nil
    heldRead.lastQuery = 0
    heldRead.queries = 0
    // An I/O error has already ended it.
    if isInTransaction { try end() }
  }

  /// Gives up the transaction and the memory that were kept for the next query.
  package func releaseHeldResources() throws {
    try endHeldRead()
    if cacheSize == .busy { try setCache(.reading) }
  }

  /// A clock that needs no system call, with a resolution of a few milliseconds.
  private static var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
