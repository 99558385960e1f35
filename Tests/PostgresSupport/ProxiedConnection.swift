import Foundation
import Synchronization

/// A connection through a proxy: two sockets and the bytes in transit.
final class ProxiedConnection {
  private let core: ProxyCore
  private let number: Int
  private var readers = [ProtocolReader(.client), ProtocolReader(.server)]
  /// The client's and the server's socket.
  private let sockets: [Int32]
  /// The pending output for each socket.
  private var output: [[UInt8]] = [[], []]
  private var state = State.forwards
  /// Errors for the client that replace statements hidden from the server.
  private var rejections: [[UInt8]] = []

  private enum State { case forwards, stalls, cuts }

  /// Text that no server can parse. It replaces a rejected statement, so that the server fails too.
  private static let unparsable = "rejected_by_proxy"

  init(core: ProxyCore, number: Int, client: Int32, server: Int32) {
    self.core = core
    self.number = number
    sockets = [client, server]
  }

  /// Forwards messages until either side closes its socket.
  func run() {
    defer { for socket in sockets { close(socket) } }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while !core.isStopped.load(ordering: .relaxed) {
      if state == .cuts, output.allSatisfy(\.isEmpty) { return }
      var polls = (0..<2).map { side in
        var events: Int16 = 0
        if state == .forwards { events |= Int16(POLLIN) }
        if !output[side].isEmpty { events |= Int16(POLLOUT) }
        return pollfd(fd: sockets[side], events: events, revents: 0)
      }
      // On a stalled connection whose ends are closed, poll would return immediately.
      if state == .stalls, output.allSatisfy(\.isEmpty) {
        Thread.sleep(forTimeInterval: Double(ProxyCore.tick) / 1_000)
        continue
      }
      guard poll(&polls, 2, ProxyCore.tick) > 0 else { continue }
      for side in 0..<2 {
        if polls[side].revents & Int16(POLLOUT) != 0, !write(side) { return }
        guard state == .forwards, polls[side].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { continue }
        let count = recv(sockets[side], &buffer, buffer.count, 0)
        guard count > 0 else {
          // Send the other side all bytes that precede the end.
          _ = write(1 - side)
          return
        }
        readers[side].append(buffer[..<count])
        forward(from: side)
      }
    }
  }

  /// Returns false if the socket is closed.
  private func write(_ side: Int) -> Bool {
    guard !output[side].isEmpty else { return true }
    let count = send(sockets[side], output[side], output[side].count, Int32(MSG_NOSIGNAL))
    guard count >= 0 else { return errno == EAGAIN || errno == EINTR }
    output[side].removeFirst(count)
    return true
  }

  private func forward(from side: Int) {
    if readers[side].isOpaque { output[1 - side] += readers[side].rest() }
    while state == .forwards, !readers[side].isOpaque, var message = readers[side].next() {
      message.connection = number
      let action = core.action(for: &message)
      switch action {
      case .forward: pass(message)
      case .delay(let duration):
        flush()
        Thread.sleep(forTimeInterval: duration / .seconds(1))
        pass(message)
      case .cut: state = .cuts
      case .cutAfter:
        pass(message)
        state = .cuts
      case .stall: state = .stalls
      case .stallAfter:
        pass(message)
        state = .stalls
      case .reject(let sqlState, let text): reject(message, ProtocolMessage.error(sqlState, text))
      }
    }
    if readers[side].isOpaque { output[1 - side] += readers[side].rest() }
  }

  private func flush() { for side in 0..<2 { _ = write(side) } }

  private func pass(_ message: ProtocolMessage) {
    switch (message.sender, message.kind) {
    case (.client, .tlsRequest), (.client, .gssRequest): readers[1].awaitedAnswers += 1
    case (_, .encryptionAnswer) where message.bytes != Array("N".utf8):
      readers[0].isOpaque = true
      readers[1].isOpaque = true
    case (.server, .typed("E")) where String(decoding: message.bytes, as: UTF8.self).contains(Self.unparsable):
      if !rejections.isEmpty {
        output[0] += rejections.removeFirst()
        return
      }
    // After an earlier error, the server has skipped the rejected statement.
    case (.server, .typed("Z")): rejections = []
    default: break
    }
    output[message.sender == .client ? 1 : 0] += message.bytes
  }

  private func reject(_ message: ProtocolMessage, _ error: [UInt8]) {
    let text = Array(Self.unparsable.utf8) + [0]
    switch message.kind {
    case .typed("Q"):
      rejections.append(error)
      output[1] += ProtocolMessage.bytes("Q", text)
    case .typed where message.sender == .client:
      rejections.append(error)
      // An unnamed statement that has no parameter types.
      output[1] += ProtocolMessage.bytes("P", [0] + text + [0, 0])
    case .startup:
      output[0] += error
      state = .cuts
    default: pass(message)
    }
  }
}
