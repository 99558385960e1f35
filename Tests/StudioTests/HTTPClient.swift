import Foundation
import StoreStudio
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A connection that sends any bytes and waits at most ten seconds for an answer.
final class HTTPClient {
  struct Failure: Error { let call: String, code: Int32 }

  struct Response: Equatable {
    var status: Int
    var headers: [String: String]
    var body: Data

    /// The status and the body, or the message of an error.
    var text: String {
      let message = (try? JSONDecoder().decode([String: String].self, from: body))?["error"]
      return "\(status) \(message ?? String(decoding: body, as: UTF8.self))"
    }
  }

  private let descriptor: Int32
  private var buffer = Data()

  init(_ port: Int) throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = try #require(UInt16(exactly: port)).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard result == 0 else { throw Failure(call: "connect", code: errno) }
  }

  deinit { _ = close(descriptor) }

  /// Sends lines, an empty line and a body. Does not report that the server has closed the connection.
  func send(_ lines: String..., body: Data = Data()) {
    send(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
  }

  func send(_ data: Data) {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads the next response.
  func response(isHead: Bool = false) throws -> Response {
    let end = Data("\r\n\r\n".utf8)
    while buffer.firstRange(of: end) == nil { try read() }
    let head = try #require(buffer.firstRange(of: end))
    let lines = String(decoding: buffer[..<head.lowerBound], as: UTF8.self).split(separator: "\r\n")
    buffer = Data(buffer[head.upperBound...])
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ": ", maxSplits: 1)
      headers[String(parts.first ?? "")] = String(parts.dropFirst().first ?? "")
    }
    let length = isHead ? 0 : Int(headers["Content-Length"] ?? "") ?? 0
    while buffer.count < length { try read() }
    let body = Data(buffer.prefix(length))
    buffer = Data(buffer.dropFirst(length))
    let status = Int(lines.first?.split(separator: " ").dropFirst().first ?? "") ?? 0
    return Response(status: status, headers: headers, body: body)
  }

  /// True if the server sends nothing more and closes the connection.
  var isClosed: Bool {
    do {
      if buffer.isEmpty { try read() }
      return false
    } catch { return (error as? Failure)?.code == 0 || (error as? Failure)?.code == ECONNRESET }
  }

  private func read() throws {
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { throw Failure(call: "recv", code: count == 0 ? 0 : errno) }
    buffer.append(contentsOf: bytes[..<count])
  }
}
