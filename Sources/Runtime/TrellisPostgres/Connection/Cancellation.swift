import CPostgres
import Dispatch
import Foundation
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
    Self.withoutBrokenPipeSignal { _ = PQcancel(request, &message, Int32(message.count)) }
    PQfreeCancel(request)
    Self.running.subtract(1, ordering: .relaxed)
  }

  /// Runs a body that may write to a connection the server has closed. Unlike the rest of libpq, `PQcancel` does not
  /// suppress `SIGPIPE`, which would end the process.
  private static func withoutBrokenPipeSignal(_ body: () -> Void) {
    var pipe = sigset_t()
    var former = sigset_t()
    var pending = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    guard pthread_sigmask(SIG_BLOCK, &pipe, &former) == 0 else { return }
    body()
    sigemptyset(&pending)
    if sigismember(&former, SIGPIPE) == 0, sigpending(&pending) == 0, sigismember(&pending, SIGPIPE) == 1 {
      var signal: Int32 = 0
      sigwait(&pipe, &signal)
    }
    pthread_sigmask(SIG_SETMASK, &former, nil)
  }
}
