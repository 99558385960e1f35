import Dispatch
import Foundation
import Synchronization

/// A server for programs on the same computer: it listens at `127.0.0.1` and has one thread for each connection.
package final class HTTPServer: Sendable {
  /// Called on the thread of a connection, several times at once.
  package typealias Handler = @Sendable (HTTPRequest) -> HTTPResponse
  /// Returns the response to a request that the handler must not receive. Called before the body has arrived.
  package typealias Refusal = @Sendable (HTTPRequest) -> HTTPResponse?

  /// The limits that keep one client from blocking others.
  package struct Limits: Sendable {
    /// The number of connections at a time. Further ones get the status 503.
    package var connections = 32
    /// The time between requests of a connection.
    package var idle = Duration.seconds(60)
    /// The longest pause of a client that sends a request or reads a response.
    package var pause = Duration.seconds(10)
    /// The time in which a whole request must arrive.
    package var request = Duration.seconds(15)
    /// The time in which a client must read a whole response.
    package var response = Duration.seconds(60)
    /// The time in which a client must close a connection after its last response.
    package var linger = Duration.seconds(1)
    /// The time that `run` waits for calls of the handler after the server is stopped.
    package var stop = Duration.seconds(5)
    /// The bytes of the largest body of a response.
    package var responseSize = 64 << 20

    package init() {}
  }

  /// The port, also if the system has chosen it.
  package let port: Int
  private let limits: Limits
  private let signal: StopSignal
  /// Nil after the server is stopped.
  private let listener: Mutex<Socket?>
  private let counts = Mutex(Counts())
  private let threads = DispatchGroup()

  /// Clients can connect from now on, and wait until ``run(_:)`` is called.
  ///
  /// - Parameter port: 0 for any free port.
  /// - Throws: ``HTTPServerError``
  package init(port: Int = 0, limits: Limits = Limits()) throws(HTTPServerError) {
    guard let number = UInt16(exactly: port) else { throw .noSuchPort(port) }
    self.limits = limits
    do {
      signal = try StopSignal()
      let (socket, port) = try Socket.listening(number)
      self.port = port
      listener = Mutex(socket)
    } catch { throw HTTPServerError(error, port: port) }
  }

  /// Accepts connections until ``stop()`` is called. Returns when all connections are closed, or when calls of the
  /// handler take too long.
  package func run(refusing refusal: @escaping Refusal = { _ in nil }, _ handler: @escaping Handler) {
    accept(refusal, handler)
    _ = threads.wait(timeout: .now() + limits.stop / .seconds(1))
  }

  /// Closes the port and all connections. Calls of the handler go on, and their responses are sent if the clients are
  /// reading.
  package func stop() {
    signal.send()
    listener.withLock { $0 = nil }
  }

  private func accept(_ refusal: @escaping Refusal, _ handler: @escaping Handler) {
    guard let socket = listener.withLock({ $0 }) else { return }
    while !signal.isSent {
      guard socket.wait(for: .input, until: .now + .seconds(600), unless: signal) == .ready else { continue }
      do {
        if let connection = try socket.accepted() { start(connection, refusal, handler) }
      } catch {
        // The process has too many open files. Without a pause, the loop would occupy a processor.
        _ = signal.receiver.wait(for: .input, until: .now + .milliseconds(100), unless: signal)
      }
    }
  }

  // MARK: Connections

  private enum Place { case served, refused }

  private struct Counts {
    var served = 0
    var refused = 0

    /// Returns nil if even a refusal is too much.
    mutating func enter(limit: Int) -> Place? {
      if served < limit {
        served += 1
        return .served
      }
      guard refused < limit else { return nil }
      refused += 1
      return .refused
    }

    mutating func leave(_ place: Place) {
      switch place {
      case .served: served -= 1
      case .refused: refused -= 1
      }
    }
  }

  private func start(_ socket: Socket, _ refusal: @escaping Refusal, _ handler: @escaping Handler) {
    guard let place = counts.withLock({ $0.enter(limit: limits.connections) }) else { return }
    let connection = HTTPConnection(socket: socket, signal: signal, limits: limits, refusal: refusal)
    threads.enter()
    let thread = Thread {
      switch place {
      case .served: connection.serve(handler)
      case .refused: connection.refuse(.error(503, "the server has too many connections"))
      }
      // The thread keeps the socket for a moment.
      connection.socket.end()
      self.counts.withLock { $0.leave(place) }
      self.threads.leave()
    }
    // On some systems the default is too small for handlers that read nested types.
    thread.stackSize = 8 << 20
    thread.start()
  }
}
