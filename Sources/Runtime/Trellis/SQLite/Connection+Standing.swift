import CSQLite
import Foundation

/// A read transaction that stays open while one question follows the other.
///
/// To begin and end one takes locks, which is most of what a small question costs. The index of the log
/// says without a lock whether anybody has committed since: then the next question begins another
/// one, so no answer is older than its question. The pool ends it once nobody has asked for a moment,
/// and before it writes, so that checkpoints need not wait for it.
struct StandingRead {
  fileprivate enum Log {
    /// Nobody has looked yet.
    case unknown
    case none
    case index(WALIndexHeader)
  }

  fileprivate var log = Log.unknown
  /// What the index said before the transaction began; nil while there is none.
  fileprivate var state: WALIndexHeader.State?
  /// When the last question came, in milliseconds.
  fileprivate var lastQuestion: Int64 = 0
  /// How many questions the transaction has answered.
  fileprivate var questions = 0
  /// Whether the page cache was made larger because there were many.
  fileprivate var hasBusyCache = false

  /// Questions that are no further apart follow each other.
  fileprivate static let pause: Int64 = 10
  fileprivate static let manyQuestions = 64
}

extension Connection {
  /// Whether a read transaction is open that no call is responsible for.
  var isStanding: Bool { standing.state != nil }

  /// Whether there is something to be given up when the questions stop.
  var keepsSomething: Bool { isStanding || standing.hasBusyCache }

  /// Prepares the connection for a question: what it reads is what was committed last.
  func follow() throws {
    let now = Self.milliseconds
    defer { standing.lastQuestion = now }
    if let state = standing.state {
      guard case .index(let index) = standing.log, index.state == state else {
        return try endStanding()
      }
      standing.questions += 1
      if standing.questions == StandingRead.manyQuestions, !standing.hasBusyCache {
        try expectMoreLookups()
        standing.hasBusyCache = true
      }
    } else if now - standing.lastQuestion <= StandingRead.pause {
      try beginStanding()
    }
  }

  @inline(never) private func beginStanding() throws {
    if case .unknown = standing.log {
      let mode = try rows("PRAGMA journal_mode").first?.first
      standing.log = mode == .text("wal") ? WALIndexHeader(handle).map { .index($0) } ?? .none : .none
    }
    guard case .index(let index) = standing.log, !isInTransaction else { return }
    // Looked at first: what is committed from now on makes a difference.
    let state = index.state
    try begin()
    standing.state = state
  }

  /// Ends the transaction that stayed open, if there is one.
  func endStanding() throws {
    guard isStanding else { return }
    standing.state = nil
    standing.lastQuestion = 0
    standing.questions = 0
    // A failure of the disk has ended it already.
    if isInTransaction { try end() }
  }

  /// Gives up what is kept for the next question.
  func rest() throws {
    try endStanding()
    guard standing.hasBusyCache else { return }
    standing.hasBusyCache = false
    try expectNoMoreLookups()
  }

  /// Whether nobody has asked anything for a moment.
  var isResting: Bool { Self.milliseconds - standing.lastQuestion > StandingRead.pause }

  /// A clock without a call of the system, to a few milliseconds.
  private static var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
