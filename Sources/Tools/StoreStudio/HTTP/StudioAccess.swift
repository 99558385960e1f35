/// Decides which requests the server answers.
///
/// Every web page can send requests to this computer. A page with a host name that resolves to this computer can even
/// read the responses. Only the studio's page sends the right `Host` and origin, and only the user knows the token.
package struct StudioAccess: Sendable {
  package let port: Int
  /// The first component of each path.
  package let token: String
  /// True if `POST` is allowed.
  package let allowsWrites: Bool

  package init(port: Int, token: String, allowsWrites: Bool = false) {
    self.port = port
    self.token = token
    self.allowsWrites = allowsWrites
  }

  /// The address of the first page.
  package var address: String { "http://127.0.0.1:\(port)/\(token)/" }

  /// Returns the error response to a request without access; nil if the request has access.
  package func refusal(of request: HTTPRequest) -> HTTPResponse? {
    var refusal = originRefusal(of: request) ?? tokenRefusal(of: request) ?? methodRefusal(of: request)
    // Pages without the token could otherwise occupy all connections.
    refusal?.endsConnection = true
    return refusal
  }

  private func originRefusal(of request: HTTPRequest) -> HTTPResponse? {
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    guard let host = request.headers["host"], hosts.contains(host) else {
      return .error(421, "this server answers only requests to \(hosts[0]) and \(hosts[1])")
    }
    if let origin = request.headers["origin"], !hosts.contains(where: { origin == "http://\($0)" }) {
      return .error(403, "foreign pages have no access")
    }
    if let site = request.headers["sec-fetch-site"], site != "same-origin", site != "none" {
      return .error(403, "foreign pages have no access")
    }
    return nil
  }

  private func tokenRefusal(of request: HTTPRequest) -> HTTPResponse? {
    guard let first = request.path.first, isToken(first) else { return .error(404, "not found") }
    return nil
  }

  /// Compares all bytes, so that the duration does not reveal the number of correct bytes.
  private func isToken(_ text: String) -> Bool {
    let (expected, found) = (Array(token.utf8), Array(text.utf8))
    guard !expected.isEmpty, expected.count == found.count else { return false }
    return zip(expected, found).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private func methodRefusal(of request: HTTPRequest) -> HTTPResponse? {
    if request.method == "GET" || request.isHead { return nil }
    guard allowsWrites, request.method == "POST" else {
      let allowed = allowsWrites ? "GET, HEAD, POST" : "GET, HEAD"
      var response = HTTPResponse.error(405, "this server allows \(allowed)")
      response.headers = [.init("Allow", allowed)]
      return response
    }
    // Browsers add the origin to each POST. Forms on foreign pages cannot send JSON.
    guard request.headers["origin"] != nil else { return .error(403, "POST needs the header 'origin'") }
    let type = request.headers["content-type"]?.prefix { $0 != ";" && $0 != " " }.lowercased()
    guard type == "application/json" else { return .error(415, "POST needs the content type 'application/json'") }
    return nil
  }

  /// Returns 128 random bits as 32 lowercase hexadecimal digits.
  package static func randomToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
