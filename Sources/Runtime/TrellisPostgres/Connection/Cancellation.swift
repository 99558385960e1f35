import CPostgres
import Dispatch
import Synchronization

/// Requests to a server to end a statement that is running.
///
/// libpq sends a request through a connection of its own, and waits for that without a limit. Another thread does so.
struct Cancellation: @unchecked Sendable {  // libpq allows every thread to use the request
  private let request: OpaquePointer

  /// The requests that are being sent. The network keeps those that never end.
  private static let running = Atomic<Int>(0)
  private static let most = 4
  private static let queue = DispatchQueue(label: "Trellis PostgreSQL cancellations", attributes: .concurrent)

  /// Sends a request, and does not wait for it. Does nothing if too many others have not ended.
  static func send(_ handle: OpaquePointer) {
    guard running.load(ordering: .relaxed) < most, let request = PQgetCancel(handle) else { return }
    running.add(1, ordering: .relaxed)
    let cancellation = Cancellation(request: request)
    queue.async { cancellation.run() }
  }

  private func run() {
    var message = [CChar](repeating: 0, count: 256)
    PQcancel(request, &message, Int32(message.count))
    PQfreeCancel(request)
    Self.running.subtract(1, ordering: .relaxed)
  }
}
