import Foundation
import Synchronization

/// Detects two threads inside one context at the same time.
///
/// A context belongs to one isolation. The compiler checks this, except in code that opts out. This class detects the rest
/// at run time: with one atomic operation when a context reads or writes a store, and a load when a model changes. Debug
/// builds check every access to a model, and let it wait for the first thread.
@usableFromInline final class ContextOccupancy: Sendable {
  /// What a thread does inside.
  enum Operation: Int, CustomStringConvertible {
    case other, fetch, count, save, refresh, batch, rollback
    case insertion, deletion, assignment, write, read, relationship, lookup, release

    var description: String {
      switch self {
      case .other: "an operation"
      case .fetch: "a fetch"
      case .count: "'fetchCount(_:)'"
      case .save: "'save()'"
      case .refresh: "a refresh after a commit elsewhere"
      case .batch: "a batch"
      case .insertion: "'insert(_:)'"
      case .deletion: "'delete(_:)'"
      case .rollback: "'rollback()'"
      // To a relationship with both ends, and to an attribute's value.
      case .assignment, .write: "an assignment to a property"
      case .read: "a read of a property"
      case .relationship: "a read of a relationship"
      case .lookup: "a lookup by identifier"
      case .release: "the release of a model"
      }
    }
  }

  /// The thread inside; 0 for none.
  private let occupant = Atomic<UInt>(0)
  private let operation = Atomic<Int>(0)
  /// True once a thread has waited in vain for the one inside.
  private let isBlocked = Atomic<Bool>(false)

  /// The reported operations, a bit each.
  private let reported = Atomic<UInt>(0)

  private static var thread: UInt { UInt(bitPattern: Int(bitPattern: pthread_self())) }
  /// What the thread inside does.
  private var present: Operation { Operation(rawValue: operation.load(ordering: .relaxed)) ?? .other }

  /// Whether a second thread is inside.
  var isDisputed: Bool {
    let inside = occupant.load(ordering: .relaxed)
    return inside != 0 && inside != Self.thread
  }

  /// Runs a call as the only thread inside; calls within the call are the same thread's.
  ///
  /// - Throws: ``SwiftDataError/contextInUse``, before anything is read or written.
  func occupy<Result>(_ own: Operation, _ body: () throws -> Result) throws -> Result {
    let thread = Self.thread
    let (isFirst, inside) = occupant.compareExchange(
      expected: 0, desired: thread, ordering: .acquiringAndReleasing)
    guard isFirst else {
      guard inside == thread else { throw contextInUse(own) }
      return try body()
    }
    operation.store(own.rawValue, ordering: .relaxed)
    defer { leave() }
    return try body()
  }

  private func contextInUse(_ own: Operation) -> SwiftDataError {
    .contextInUse.explained(
      "\(own) began while \(present) ran in another thread: a context belongs to one task or actor, so give each its own, "
        + "made from the container")
  }

  private func leave() {
    isBlocked.store(false, ordering: .relaxed)
    occupant.store(0, ordering: .releasing)
  }

  // MARK: Models

  /// Reports an operation on a model while a second thread is inside. In debug builds, both threads wait for each other.
  @inline(__always) func visit<Result>(
    _ own: Operation, _ identifier: @autoclosure () -> PersistentIdentifier, _ body: () throws -> Result
  ) rethrows -> Result {
    #if DEBUG
      let isFirst = enter(own, identifier())
      defer { if isFirst { leave() } }
    #else
      if isDisputed { report(own, identifier()) }
    #endif
    return try body()
  }

  /// As ``visit(_:_:_:)`` in debug builds. Release builds check nothing: reads are too frequent.
  @inline(__always) func inspect<Result>(
    _ own: Operation, _ identifier: @autoclosure () -> PersistentIdentifier, _ body: () throws -> Result
  ) rethrows -> Result {
    #if DEBUG
      try visit(own, identifier(), body)
    #else
      try body()
    #endif
  }

  /// Reports an operation, once per context: a loop in two threads would repeat the message thousands of times.
  private func report(_ own: Operation, _ identifier: PersistentIdentifier) {
    let bit = UInt(1) << UInt(own.rawValue)
    guard reported.bitwiseOr(bit, ordering: .relaxed).oldValue & bit == 0 else { return }
    ModelIssue.contextInUse(identifier, operation: "\(own)", during: "\(present)").report()
  }

  #if DEBUG
    /// The number of checks whether the first thread has left, and the microseconds between two checks.
    private static let looks = 5_000
    private static let pause: UInt32 = 100

    /// Waits for the thread inside, for at most half a second.
    ///
    /// - Returns: True if the thread has to leave, false if it was inside already or waited in vain.
    func enter(_ own: Operation, _ identifier: @autoclosure () -> PersistentIdentifier) -> Bool {
      let thread = Self.thread
      for look in 0..<Self.looks {
        let (isFirst, inside) = occupant.compareExchange(
          expected: 0, desired: thread, ordering: .acquiringAndReleasing)
        if isFirst {
          operation.store(own.rawValue, ordering: .relaxed)
          return true
        }
        if inside == thread { return false }
        if look == 0 { report(own, identifier()) }
        if isBlocked.load(ordering: .relaxed) { return false }
        usleep(Self.pause)
      }
      isBlocked.store(true, ordering: .relaxed)
      return false
    }

    /// Ends the write of a value, if that is what the thread entered for.
    func leaveWrite() {
      if occupant.load(ordering: .relaxed) == Self.thread, present == .write { leave() }
    }
  #endif
}
