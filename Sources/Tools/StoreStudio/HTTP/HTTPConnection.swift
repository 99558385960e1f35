import Foundation

/// Answers the requests of one connection, one after the other.
struct HTTPConnection: Sendable {
  let socket: Socket
  let signal: StopSignal
  let limits: HTTPServer.Limits
  let refusal: HTTPServer.Refusal

  /// The bytes that are received or sent at a time.
  private static let pieceSize = 64 << 10

  private enum Event {
    case request(HTTPRequest)
    /// The response to the last request of the connection.
    case refusal(HTTPResponse)
    case end
  }

  func serve(_ handler: HTTPServer.Handler) {
    var parser = HTTPParser()
    while true {
      switch receive(&parser) {
      case .request(let request):
        let response = refusal(request) ?? handler(request).limited(to: limits.responseSize)
        let keepsAlive = request.keepsAlive && !response.endsConnection && !signal.isSent
        guard send(response.parts(keepAlive: keepsAlive, isHead: request.isHead)) else { return }
        guard keepsAlive else { return linger() }
      case .refusal(let response): return refuse(response)
      case .end: return
      }
    }
  }

  /// Sends a response and ends the connection.
  func refuse(_ response: HTTPResponse) {
    if send(response.parts(keepAlive: false, isHead: false)) { linger() }
  }

  // MARK: Input

  private func receive(_ parser: inout HTTPParser) -> Event {
    let start = ContinuousClock.now
    // The rest of an earlier piece can be the start of this request.
    var requestEnd = parser.isIdle ? nil : start + limits.request
    while !signal.isSent {
      do {
        if let request = try parser.next() { return .request(request) }
        // A body from a stranger is not kept in memory.
        if let response = parser.unfinished.flatMap(refusal) { return .refusal(response) }
      } catch { return .refusal(error.response) }
      let end = requestEnd.map { min($0, .now + limits.pause) } ?? start + limits.idle
      switch socket.wait(for: .input, until: end, unless: signal) {
      case .ready: break
      case .late: return requestEnd == nil ? .end : .refusal(.error(408, "the request has not arrived in time"))
      case .stopped: return .end
      }
      guard let bytes = socket.received(atMost: Self.pieceSize) else { return .end }
      parser.append(bytes)
      requestEnd = requestEnd ?? .now + limits.request
    }
    return .end
  }

  /// Waits until the client has read the last response. If a socket is closed while it has unread input, the client can
  /// lose the response.
  private func linger() {
    socket.end(outputOnly: true)
    let end = ContinuousClock.now + limits.linger
    while ContinuousClock.now < end, socket.wait(for: .input, until: end, unless: signal) == .ready {
      guard socket.received(atMost: Self.pieceSize) != nil else { return }
    }
  }

  // MARK: Output

  /// Sends everything; returns false if the client stops reading or the server stops while the client does not read.
  private func send(_ parts: [Data]) -> Bool {
    let end = ContinuousClock.now + limits.response
    return parts.allSatisfy { part in part.withUnsafeBytes { send($0, until: end) } }
  }

  private func send(_ bytes: UnsafeRawBufferPointer, until end: ContinuousClock.Instant) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard ContinuousClock.now < end, let count = socket.send(.init(rebasing: rest.prefix(Self.pieceSize)))
      else { return false }
      rest = rest.dropFirst(count)
      guard count == 0 else { continue }
      let pauseEnd = min(end, .now + limits.pause)
      guard socket.wait(for: .output, until: pauseEnd, unless: signal) == .ready else { return false }
    }
    return true
  }
}

extension HTTPResponse {
  fileprivate func limited(to size: Int) -> Self {
    body.count <= size ? self : .error(500, "the result is larger than \(size >> 20) MiB")
  }
}
