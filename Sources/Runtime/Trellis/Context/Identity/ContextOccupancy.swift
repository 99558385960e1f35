import Foundation
import Synchronization

/// Detects two threads inside one context at the same time.
///
/// A context belongs to one isolation. The compiler checks this, except in code that opts out. This class detects the rest
/// at run time: with one atomic operation when a context reads or writes a store, and a load when a model changes.
final class ContextOccupancy: Sendable {
  /// The thread inside; 0 for none.
  private let occupant = Atomic<UInt>(0)

  /// Whether a thread other than the calling one is inside.
  var isDisputed: Bool {
    let inside = occupant.load(ordering: .relaxed)
    return inside != 0 && inside != UInt(bitPattern: Int(bitPattern: pthread_self()))
  }

  /// Runs a call as the only thread inside; calls within the call are the same thread's.
  ///
  /// - Throws: ``SwiftDataError/contextInUse``, before anything is read or written.
  func occupy<Result>(_ body: () throws -> Result) throws -> Result {
    let thread = UInt(bitPattern: Int(bitPattern: pthread_self()))
    let (isFirst, inside) = occupant.compareExchange(
      expected: 0, desired: thread, ordering: .acquiringAndReleasing)
    guard isFirst else {
      guard inside == thread else { throw SwiftDataError.contextInUse }
      return try body()
    }
    defer { occupant.store(0, ordering: .releasing) }
    return try body()
  }
}
