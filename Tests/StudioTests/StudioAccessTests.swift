import Foundation
import StoreStudio
import Testing

/// Requests and their refusals.
@Suite struct StudioAccessTests {
  private static let token = "0123456789abcdef0123456789abcdef"

  /// Returns the status of a refusal, or 200 if the request is allowed.
  private func status(
    _ method: String = "GET", path: [String] = [token, ""], headers: [String: String] = [:], writes: Bool = false
  ) -> Int {
    let access = StudioAccess(port: 8080, token: Self.token, allowsWrites: writes)
    let all = ["host": "127.0.0.1:8080"].merging(headers) { $1 }
    let refusal = access.refusal(of: HTTPRequest(method: method, path: path, headers: all))
    #expect(refusal?.endsConnection != false)
    return refusal?.status ?? 200
  }

  @Test(arguments: [
    ("127.0.0.1:8080", 200), ("localhost:8080", 200), ("127.0.0.1", 421), ("127.0.0.1:80", 421),
    ("127.0.0.1:80801", 421), ("127.0.0.2:8080", 421), ("0.0.0.0:8080", 421), ("[::1]:8080", 421),
    ("localhost.:8080", 421), ("LOCALHOST:8080", 421), ("localhost", 421), ("evil.example:8080", 421),
    ("127.0.0.1:8080.evil.example", 421), ("a@localhost:8080", 421), ("", 421),
  ])
  func hostsAreOfThisServer(_ host: String, _ expected: Int) {
    #expect(status(headers: ["host": host]) == expected)
  }

  @Test func aHostIsRequired() {
    let request = HTTPRequest(path: [Self.token])
    #expect(StudioAccess(port: 8080, token: Self.token).refusal(of: request)?.status == 421)
  }

  @Test(arguments: [
    ("http://127.0.0.1:8080", 200), ("http://localhost:8080", 200), ("null", 403), ("", 403),
    ("https://localhost:8080", 403), ("http://localhost", 403), ("http://localhost:8081", 403),
    ("http://evil.example", 403), ("http://localhost:8080.evil.example", 403), ("http://localhost:8080/", 403),
    ("http://localhost:8080, http://localhost:8080", 403),
  ])
  func originsAreOfThisServer(_ origin: String, _ expected: Int) {
    #expect(status(headers: ["origin": origin]) == expected)
  }

  @Test(arguments: [("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403), ("", 403)])
  func sitesAreThisServer(_ site: String, _ expected: Int) {
    #expect(status(headers: ["sec-fetch-site": site]) == expected)
  }

  @Test(arguments: [
    ("TOKEN", 200), ("TOKEN/a/b", 200), ("TOKEN/", 200), ("", 404), ("/TOKEN", 404), ("a/TOKEN", 404),
    ("TOKEN0", 404), ("0TOKEN", 404), ("TOKEN\u{301}", 404), ("TOKEN ", 404), ("0123456789abcdef", 404),
    ("0123456789ABCDEF0123456789ABCDEF", 404), ("1123456789abcdef0123456789abcdef", 404),
    ("0123456789abcdef0123456789abcdee", 404),
  ])
  func pathsBeginWithTheToken(_ path: String, _ expected: Int) {
    let components = path.replacing("TOKEN", with: Self.token).split(separator: "/", omittingEmptySubsequences: false)
    #expect(status(path: components.map(String.init)) == expected)
  }

  /// A wrong token and a missing page must look the same.
  @Test func refusalsGiveNoHint() {
    let access = StudioAccess(port: 8080, token: Self.token)
    let refusals = ["a", String(Self.token.dropLast()), ""].flatMap { text in
      ["GET", "PUT"].map { method in
        access.refusal(of: HTTPRequest(method: method, path: [text], headers: ["host": "localhost:8080"]))
      }
    }
    var expected = HTTPResponse.error(404, "not found")
    expected.endsConnection = true
    #expect(refusals == Array(repeating: expected, count: 6))
  }

  @Test func anEmptyTokenOpensNothing() {
    let request = HTTPRequest(path: [""], headers: ["host": "localhost:8080"])
    #expect(StudioAccess(port: 8080, token: "").refusal(of: request)?.status == 404)
  }

  @Test(arguments: [
    ("GET", 200), ("HEAD", 200), ("POST", 405), ("PUT", 405), ("DELETE", 405), ("OPTIONS", 405), ("get", 405),
    ("TRACE", 405),
  ])
  func methodsOnlyRead(_ method: String, _ expected: Int) {
    let origin = ["origin": "http://localhost:8080", "content-type": "application/json"]
    #expect(status(method, headers: origin) == expected)
    #expect(status(method, headers: origin, writes: true) == (method == "POST" ? 200 : expected))
  }

  @Test(arguments: [(false, "GET, HEAD"), (true, "GET, HEAD, POST")])
  func refusedMethodsGetAList(_ writes: Bool, _ expected: String) {
    let access = StudioAccess(port: 8080, token: Self.token, allowsWrites: writes)
    let request = HTTPRequest(method: "PUT", path: [Self.token], headers: ["host": "localhost:8080"])
    #expect(access.refusal(of: request)?.headers == [.init("Allow", expected)])
  }

  private static let writes: [([String: String], Int)] = [
    ([:], 403), (["content-type": "application/json"], 403),
    (["origin": "http://evil.example", "content-type": "application/json"], 403),
    (["origin": "http://localhost:8080"], 415),
    (["origin": "http://localhost:8080", "content-type": "text/plain"], 415),
    (["origin": "http://localhost:8080", "content-type": "text/plain; application/json"], 415),
    (["origin": "http://localhost:8080", "content-type": "application/json, text/plain"], 415),
    (["origin": "http://localhost:8080", "content-type": "application/x-www-form-urlencoded"], 415),
    (["origin": "http://localhost:8080", "content-type": "Application/JSON; charset=utf-8"], 200),
  ]

  @Test(arguments: writes)
  func writesComeFromPagesOfThisServer(_ headers: [String: String], _ expected: Int) {
    #expect(status("POST", headers: headers, writes: true) == expected)
  }

  @Test func tokensAreRandom() {
    let tokens: [String] = (0..<100).map { _ in StudioAccess.randomToken() }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy { "0123456789abcdef".contains($0) } })
  }

  @Test func theAddressContainsTheToken() {
    #expect(StudioAccess(port: 8080, token: "abc").address == "http://127.0.0.1:8080/abc/")
  }
}
