import CPostgres
import Foundation

/// Connects to a server without waiting longer than the address allows.
struct ConnectionAttempt {
  let address: ConnectionAddress

  /// Connects to the first host of the address that accepts a connection in time.
  ///
  /// The limit holds for each host. The resolver has its own limit for finding the address of a name.
  ///
  /// - Throws: ``PostgresError/Code/connectionFailed``.
  func connect() throws -> OpaquePointer {
    var address = address
    while true {
      guard let handle = address.withSettings({ PQconnectStartParams($0, $1, 0) }) else {
        throw PostgresError(.connectionFailed, "there is no memory for a connection to \(address.place)")
      }
      do {
        if try isConnected(handle) { return handle }
        // libpq goes on to the next host by itself, but not when the time is over.
        guard let rest = address.behind(host: PQhost(handle).map { String(cString: $0) } ?? "") else {
          throw PostgresError(
            .connectionFailed,
            "no connection to \(address.place): the server has not accepted it within \(address.connectTimeout)")
        }
        PQfinish(handle)
        address = rest
      } catch {
        PQfinish(handle)
        throw error
      }
    }
  }

  /// True once the session has begun; false if the time is over.
  private func isConnected(_ handle: OpaquePointer) throws -> Bool {
    let deadline = ContinuousClock.now + address.connectTimeout
    var state = PGRES_POLLING_WRITING
    if PQstatus(handle) == CONNECTION_BAD { state = PGRES_POLLING_FAILED }
    while true {
      switch state {
      case PGRES_POLLING_OK: return true
      case PGRES_POLLING_FAILED:
        let message = String(cString: PQerrorMessage(handle)).trimmingCharacters(in: .whitespacesAndNewlines)
        throw PostgresError(.connectionFailed, "no connection to \(address.place): \(message)")
      default:
        let events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
        var socket = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
        let rest = ContinuousClock.now.duration(to: deadline)
        guard rest > .zero else { return false }
        if poll(&socket, 1, rest.pollTimeout) > 0 { state = PQconnectPoll(handle) }
      }
    }
  }
}

extension Duration {
  /// The milliseconds for `poll`, rounded up.
  var pollTimeout: Int32 {
    guard self > .zero else { return 0 }
    guard self < .seconds(1_000_000) else { return .max }
    let (seconds, attoseconds) = components
    return Int32(clamping: seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// The duration in seconds.
  var inSeconds: Double { self / .seconds(1) }
}
