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

/// The reason why a server cannot start.
package enum HTTPServerError: Error, Equatable, Sendable, CustomStringConvertible {
  case portInUse(Int)
  /// The system reserves the port for administrators.
  case portReserved(Int)
  case noSuchPort(Int)
  case call(String, code: Int32)

  init(_ failure: Socket.Failure, port: Int) {
    switch failure {
    case .call("bind", EADDRINUSE) where port > 0: self = .portInUse(port)
    case .call("listen", EADDRINUSE) where port > 0: self = .portInUse(port)
    case .call("bind", EACCES): self = .portReserved(port)
    case .call(let name, let code): self = .call(name, code: code)
    }
  }

  package var description: String {
    switch self {
    case .portInUse(let port):
      "port \(port) is in use: stop the program that uses it, or choose another port; port 0 is any free port"
    case .portReserved(let port): "port \(port) is reserved: choose a port from 1024 to 65535; port 0 is any free port"
    case .noSuchPort(let port): "there is no port \(port): choose a port from 1024 to 65535; port 0 is any free port"
    case .call(let name, let code): "the server cannot start: \(name): \(String(cString: strerror(code)))"
    }
  }
}
