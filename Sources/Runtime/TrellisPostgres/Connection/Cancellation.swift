import CPostgres
import Dispatch
import Synchronization

/// Requests to a server to end a statement that is running.
///
/// libpq sends a request through a connection of its own, and waits for that without a limit. Another thread does so.
struct Cancellation: @unchecked Sendable {  // libpq allows every thread to use the request
  private let request: OpaquePointer
  private let end = DispatchSemaphore(value: 0)

  /// The requests that are being sent. The network keeps those that never end.
  private static let running = Atomic<Int>(0)
  private static let most = 4
  private static let queue = DispatchQueue(label: "Trellis PostgreSQL cancellations", attributes: .concurrent)

  /// Begins to send a request. Nil if too many others have not ended.
  init?(_ handle: OpaquePointer) {
    guard Self.running.load(ordering: .relaxed) < Self.most, let request = PQgetCancel(handle) else { return nil }
    self.request = request
    Self.running.add(1, ordering: .relaxed)
    let own = self
    Self.queue.async {
      var message = [CChar](repeating: 0, count: 256)
      PQcancel(own.request, &message, Int32(message.count))
      PQfreeCancel(own.request)
      Self.running.subtract(1, ordering: .relaxed)
      own.end.signal()
    }
  }

  /// True if the server has got the request within a time.
  func isSent(within limit: Duration) -> Bool { end.wait(timeout: .now() + limit.inSeconds) == .success }
}
