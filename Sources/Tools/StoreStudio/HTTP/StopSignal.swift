import Synchronization

/// Ends the waits of all threads of a server.
final class StopSignal: Sendable {
  private let sender: Socket
  /// Ready for input when the signal is sent, and from then on.
  let receiver: Socket
  private let flag = Atomic(false)

  init() throws(Socket.Failure) { (sender, receiver) = try Socket.pair() }

  var isSent: Bool { flag.load(ordering: .acquiring) }

  func send() {
    flag.store(true, ordering: .releasing)
    sender.end()
  }
}
