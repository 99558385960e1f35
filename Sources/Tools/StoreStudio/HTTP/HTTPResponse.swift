package import Foundation

/// A response, which the server completes with its length and the headers that restrict browsers.
package struct HTTPResponse: Equatable, Sendable {
  package struct Header: Equatable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package var status: Int
  package var contentType: String
  /// Additional headers. Those that the server sets itself are omitted.
  package var headers: [Header]
  package var body: Data
  /// True if the server closes the connection after this response.
  package var endsConnection: Bool

  package init(
    status: Int = 200, contentType: String, headers: [Header] = [], body: Data, endsConnection: Bool = false
  ) {
    self.status = status
    self.contentType = contentType
    self.headers = headers
    self.body = body
    self.endsConnection = endsConnection
  }

  /// Returns a value as JSON, or an error with status 500 if the value cannot be encoded.
  package static func json(_ value: some Encodable, status: Int = 200) -> Self {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let body = try? encoder.encode(value) else { return .error(500, "the result cannot be encoded as JSON") }
    return Self(status: status, contentType: json, body: body)
  }

  /// Returns `{"error": message}`.
  package static func error(_ status: Int, _ message: String) -> Self { .json(["error": message], status: status) }

  static func redirect(to address: String) -> Self {
    Self(status: 308, contentType: "text/plain", headers: [.init("Location", address)], body: Data())
  }

  private static let json = "application/json; charset=utf-8"

  // MARK: Bytes

  /// Returns the bytes to send.
  ///
  /// - Parameter isHead: True for responses to HEAD, which have the headers of GET and no body.
  package func serialized(keepAlive: Bool, isHead: Bool) -> Data {
    parts(keepAlive: keepAlive, isHead: isHead).reduce(Data(), +)
  }

  /// Returns the bytes to send, without a copy of the body.
  func parts(keepAlive: Bool, isHead: Bool) -> [Data] {
    let head = head(keepAlive: keepAlive)
    return isHead || !hasBody ? [head] : [head, body]
  }

  /// Returns the status line, the headers and the empty line.
  private func head(keepAlive: Bool) -> Data {
    let length = hasBody ? [Header("Content-Length", "\(body.count)"), Header("Content-Type", contentType)] : []
    let connection = Header("Connection", keepAlive && !endsConnection ? "keep-alive" : "close")
    var text = "HTTP/1.1 \(validStatus) \(Self.reasons[validStatus] ?? "Status")\r\n"
    for header in length + [connection] + Self.restrictions + headers.filter(Self.canAdd) {
      text += "\(header.name): \(Self.line(header.value))\r\n"
    }
    return Data((text + "\r\n").utf8)
  }

  /// Responses with these statuses end after their headers.
  private var hasBody: Bool { validStatus != 204 && validStatus != 304 }

  private var validStatus: Int { (200...599).contains(status) ? status : 500 }

  /// The headers of all responses. Browsers then use the responses only for pages of this server, and these pages
  /// cannot load or send anything from or to other servers.
  private static let restrictions = [
    Header("Cache-Control", "no-store"),
    Header("X-Content-Type-Options", "nosniff"),
    Header("Referrer-Policy", "no-referrer"),
    Header("Cross-Origin-Resource-Policy", "same-origin"),
    Header("Cross-Origin-Opener-Policy", "same-origin"),
    Header("X-Frame-Options", "DENY"),
    Header(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
  ]

  private static let ownNames = Set(
    restrictions.map { $0.name.lowercased() } + ["content-length", "content-type", "connection", "transfer-encoding"])

  private static func canAdd(_ header: Header) -> Bool {
    HTTPSyntax.isToken(header.name.utf8) && !ownNames.contains(header.name.lowercased())
  }

  /// Returns the value with a space for each control character, because a line break begins another header.
  private static func line(_ value: String) -> String {
    let bytes = value.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let reasons = [
    200: "OK", 201: "Created", 204: "No Content", 301: "Moved Permanently", 302: "Found", 303: "See Other",
    304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 413: "Content Too Large",
    414: "URI Too Long", 415: "Unsupported Media Type", 417: "Expectation Failed", 421: "Misdirected Request",
    422: "Unprocessable Content", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
    501: "Not Implemented", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
  ]
}
