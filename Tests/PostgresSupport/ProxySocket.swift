import Foundation

/// Socket functions for the proxy. The sockets are closed in child processes.
enum ProxySocket {
  private static func made(_ family: Int32) throws -> Int32 {
    let made = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard made >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return made
  }

  private static func withAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  /// A Unix socket that listens at a path.
  static func listening(path: String) throws -> Int32 {
    let socket = try made(AF_UNIX)
    guard withAddress(path, { bind(socket, $0, $1) }) == 0, listen(socket, 200) == 0 else { throw failed(socket) }
    return socket
  }

  /// A socket that listens on a free loopback port.
  static func listeningOnLoopback() throws -> (socket: Int32, port: Int) {
    let socket = try made(AF_INET)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, size) == 0 && listen(socket, 200) == 0 && getsockname(socket, address, &size) == 0
      }
    }
    guard result else { throw failed(socket) }
    return (socket, Int(UInt16(bigEndian: address.sin_port)))
  }

  private static func failed(_ socket: Int32) -> POSIXError {
    defer { close(socket) }
    return POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }

  /// A connection to the Unix socket at a path; `nil` if there is no server.
  static func connected(path: String) -> Int32? {
    guard let socket = try? made(AF_UNIX) else { return nil }
    guard withAddress(path, { connect(socket, $0, $1) }) == 0 else {
      close(socket)
      return nil
    }
    setNonblocking(socket)
    return socket
  }

  /// The next client; negative if there is none.
  static func nextClient(_ listener: Int32) -> Int32 {
    let client = accept(listener, nil, nil)
    if client >= 0 {
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      setNonblocking(client)
    }
    return client
  }

  private static func setNonblocking(_ socket: Int32) { _ = fcntl(socket, F_SETFL, O_NONBLOCK) }

  /// Returns true if an event occurs within the timeout.
  static func wait(_ socket: Int32, _ event: Int32, _ milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: socket, events: Int16(event), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }
}
