import Foundation

/// The request line and headers of a request, read line by line.
struct HTTPHead {
  private enum Version { case v10, v11 }

  private var requestLine: (method: String, target: HTTPTarget, version: Version)?
  private var headers: [String: String] = [:]
  private var count = 0

  /// Reads a line that is not empty.
  mutating func read(_ line: ArraySlice<UInt8>) throws(HTTPFailure) {
    if requestLine == nil { try readRequestLine(line) } else { try readHeader(line) }
  }

  private mutating func readRequestLine(_ line: ArraySlice<UInt8>) throws(HTTPFailure) {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, HTTPSyntax.isToken(parts[0]) else { throw .requestLine }
    let version = try Self.version(parts[2])
    guard let target = HTTPTarget(parts[1]) else { throw .target }
    requestLine = (String(decoding: parts[0], as: UTF8.self), target, version)
  }

  private static func version(_ bytes: ArraySlice<UInt8>) throws(HTTPFailure) -> Version {
    let digits = bytes.dropFirst(5)
    guard bytes.starts(with: "HTTP/".utf8), digits.count == 3, let major = digits.first, let minor = digits.last,
      HTTPSyntax.isDigit(major), digits.dropFirst().first == UInt8(ascii: "."), HTTPSyntax.isDigit(minor)
    else { throw .requestLine }
    switch (major, minor) {
    case (UInt8(ascii: "1"), UInt8(ascii: "1")): return .v11
    case (UInt8(ascii: "1"), UInt8(ascii: "0")): return .v10
    default: throw .version
    }
  }

  private mutating func readHeader(_ line: ArraySlice<UInt8>) throws(HTTPFailure) {
    count += 1
    guard count <= HTTPParser.headerLimit else { throw .manyHeaders }
    let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    // A continuation line begins with a space, which no name contains.
    guard parts.count == 2, HTTPSyntax.isToken(parts[0]) else { throw .headerName }
    let name = String(decoding: parts[0], as: UTF8.self).lowercased()
    guard parts[1].allSatisfy({ $0 == UInt8(ascii: "\t") || $0 >= 0x20 && $0 != 0x7F }),
      let value = String(validating: Self.trimmed(parts[1]), as: UTF8.self)
    else { throw .headerValue }
    guard let previous = headers.updateValue(value, forKey: name) else { return }
    // A proxy and the server could read different values.
    guard name != "host", name != "content-length" else { throw .repeated(name) }
    headers[name] = "\(previous), \(value)"
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let start = bytes.drop(while: isSpace)
    guard let end = start.lastIndex(where: { !isSpace($0) }) else { return [] }
    return start[...end]
  }

  // MARK: The end of the headers

  /// Returns the request with an empty body, and the body length.
  func request() throws(HTTPFailure) -> (request: HTTPRequest, length: Int) {
    guard let (method, target, version) = requestLine else { throw .requestLine }
    guard let host = headers["host"], !host.isEmpty, target.host == nil || target.host == host else { throw .host }
    guard headers["transfer-encoding"] == nil else { throw .transferEncoding }
    guard headers["expect"] == nil else { throw .expectation }
    let request = HTTPRequest(
      method: method, path: target.path, query: target.query, headers: headers, keepsAlive: keepsAlive(version))
    return (request, try length())
  }

  private func length() throws(HTTPFailure) -> Int {
    guard let text = headers["content-length"] else { return 0 }
    guard !text.isEmpty, text.utf8.allSatisfy(HTTPSyntax.isDigit) else { throw .contentLength }
    // A number that is too large for `Int` is also too large for a body.
    guard let length = Int(text), length <= HTTPParser.bodyLimit else { throw .longBody }
    return length
  }

  private func keepsAlive(_ version: Version) -> Bool {
    let options = (headers["connection"] ?? "").lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
    return !options.contains("close") && (version == .v11 || options.contains("keep-alive"))
  }
}

extension HTTPFailure {
  fileprivate static var requestLine: Self { Self(400, "a request begins with 'METHOD /path HTTP/1.1'") }
  fileprivate static var version: Self { Self(505, "the server accepts HTTP/1.1 and HTTP/1.0") }
  fileprivate static var target: Self { Self(400, "the target is not a path with valid percent escapes") }
  fileprivate static var manyHeaders: Self { Self(431, "a request has at most \(HTTPParser.headerLimit) headers") }
  fileprivate static var headerName: Self { Self(400, "a header is a name, a colon and a value, in one line") }
  fileprivate static var headerValue: Self { Self(400, "header values are UTF-8 without control characters") }
  fileprivate static func repeated(_ name: String) -> Self { Self(400, "the header '\(name)' is repeated") }
  fileprivate static var host: Self { Self(400, "a request needs the header 'host', equal to its target's host") }
  fileprivate static var transferEncoding: Self { Self(501, "a body needs the header 'content-length'") }
  fileprivate static var expectation: Self { Self(417, "send the body without the header 'expect'") }
  fileprivate static var contentLength: Self { Self(400, "the header 'content-length' is not a number") }
  fileprivate static var longBody: Self { Self(413, "a body is not larger than \(HTTPParser.bodyLimit >> 20) MiB") }
}
