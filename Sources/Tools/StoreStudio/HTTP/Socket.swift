import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A socket that blocks only in ``wait(for:until:unless:)``. Releasing the last reference closes the socket.
final class Socket: Sendable {
  enum Failure: Error { case call(String, code: Int32) }

  enum Direction {
    case input, output

    fileprivate var events: Int16 { Int16(self == .input ? POLLIN : POLLOUT) }
  }

  /// How a wait ended: the socket is ready or has failed, the time is over, or the server stops.
  enum Wait { case ready, late, stopped }

  private let descriptor: Int32

  private init(adopting descriptor: Int32) { self.descriptor = descriptor }

  deinit { _ = close(descriptor) }

  // MARK: Creation

  /// Returns a socket for connections to `127.0.0.1`, and the port.
  ///
  /// - Parameter port: 0 for a free port.
  static func listening(_ port: UInt16) throws(Failure) -> (socket: Socket, port: Int) {
    let listener = Socket(adopting: try made("socket", socket(AF_INET, streamType, 0)))
    try listener.prepare()
    // Reuses the port immediately after a server with connections ends.
    try listener.set(SO_REUSEADDR)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener.descriptor, $0, length) }
    }
    _ = try made("bind", bound)
    _ = try made("listen", listen(listener.descriptor, 64))
    let named = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener.descriptor, $0, &length) }
    }
    _ = try made("getsockname", named)
    return (listener, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// Returns two connected sockets. Ending the output of the first makes the second ready for input.
  static func pair() throws(Failure) -> (Socket, Socket) {
    var descriptors: [Int32] = [-1, -1]
    _ = try made("socketpair", socketpair(AF_UNIX, streamType, 0, &descriptors))
    let pair = (Socket(adopting: descriptors[0]), Socket(adopting: descriptors[1]))
    try pair.0.prepare()
    try pair.1.prepare()
    return pair
  }

  /// Returns the next connection; nil if no client is waiting.
  func accepted() throws(Failure) -> Socket? {
    let descriptor = accept(descriptor, nil, nil)
    guard descriptor >= 0 else {
      let code = errno
      // The remaining codes concern a connection that has already ended.
      guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) else { return nil }
      throw .call("accept", code: code)
    }
    let socket = Socket(adopting: descriptor)
    do {
      try socket.prepare()
      // Sends the last piece of a response before the client confirms the previous piece.
      try socket.set(TCP_NODELAY, level: Int32(IPPROTO_TCP))
    } catch { return nil }
    return socket
  }

  private func prepare() throws(Failure) {
    // Child processes must not inherit the socket.
    _ = try Self.made("fcntl", fcntl(descriptor, F_SETFD, FD_CLOEXEC))
    _ = try Self.made("fcntl", fcntl(descriptor, F_SETFL, O_NONBLOCK))
    #if canImport(Darwin)
      try set(SO_NOSIGPIPE)
    #endif
  }

  #if canImport(Glibc)
    private static let streamType = Int32(SOCK_STREAM.rawValue)
  #else
    private static let streamType = SOCK_STREAM
  #endif

  /// Sending to a closed connection must not end the process.
  #if canImport(Darwin)
    private static let sendFlags: Int32 = 0
  #else
    private static let sendFlags = Int32(MSG_NOSIGNAL)
  #endif

  private func set(_ option: Int32, level: Int32 = SOL_SOCKET) throws(Failure) {
    var isOn: Int32 = 1
    let length = socklen_t(MemoryLayout<Int32>.size)
    _ = try Self.made("setsockopt", setsockopt(descriptor, level, option, &isOn, length))
  }

  private static func made(_ call: String, _ result: Int32) throws(Failure) -> Int32 {
    guard result >= 0 else { throw .call(call, code: errno) }
    return result
  }

  // MARK: Input and output

  /// Ends the output, or input and output.
  func end(outputOnly: Bool = false) { _ = shutdown(descriptor, Int32(outputOnly ? SHUT_WR : SHUT_RDWR)) }

  /// Waits until the socket is ready or has failed.
  func wait(for direction: Direction, until end: ContinuousClock.Instant, unless signal: StopSignal) -> Wait {
    var polled = [
      pollfd(fd: signal.receiver.descriptor, events: Direction.input.events, revents: 0),
      pollfd(fd: descriptor, events: direction.events, revents: 0),
    ]
    var count: Int32 = 0
    repeat {
      let milliseconds = (ContinuousClock.now.duration(to: end) / .milliseconds(1)).rounded(.up)
      count = poll(&polled, 2, Int32(min(max(milliseconds, 0), 1_000_000)))
    } while count < 0 && errno == EINTR
    guard count > 0 else { return .late }
    return polled[0].revents == 0 ? .ready : .stopped
  }

  /// Returns the bytes that have arrived, at most `size`; nil at the end of the input.
  func received(atMost size: Int) -> [UInt8]? {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let result = recv(descriptor, buffer.baseAddress, size, 0)
      if result < 0 { code = errno }
      if result == 0 { code = ECONNRESET }
      count = max(result, 0)
    }
    return code == 0 || Self.isTemporary(code) ? bytes : nil
  }

  /// Sends the first bytes and returns their number, which is 0 while the client reads nothing; nil if the connection
  /// has ended.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
    #if canImport(Darwin)
      let result = Darwin.send(descriptor, bytes.baseAddress, bytes.count, Self.sendFlags)
    #elseif canImport(Glibc)
      let result = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Self.sendFlags)
    #elseif canImport(Musl)
      let result = Musl.send(descriptor, bytes.baseAddress, bytes.count, Self.sendFlags)
    #elseif canImport(Android)
      let result = Android.send(descriptor, bytes.baseAddress, bytes.count, Self.sendFlags)
    #endif
    guard result < 0 else { return result }
    return Self.isTemporary(errno) ? 0 : nil
  }

  private static func isTemporary(_ code: Int32) -> Bool { code == EAGAIN || code == EWOULDBLOCK || code == EINTR }
}
