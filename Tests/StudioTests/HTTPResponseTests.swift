import Foundation
import StoreStudio
import Testing

/// Responses and their bytes.
@Suite struct HTTPResponseTests {
  private static let restrictions = """
    Cache-Control: no-store
    X-Content-Type-Options: nosniff
    Referrer-Policy: no-referrer
    Cross-Origin-Resource-Policy: same-origin
    Cross-Origin-Opener-Policy: same-origin
    X-Frame-Options: DENY
    Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """

  /// Returns the bytes as text, without CR and with a mark for the headers of all responses.
  private static func text(_ response: HTTPResponse, keepAlive: Bool = true, isHead: Bool = false) -> String {
    String(decoding: response.serialized(keepAlive: keepAlive, isHead: isHead), as: UTF8.self)
      .replacing("\r\n", with: "\n").replacing(restrictions, with: "…")
  }

  @Test func jsonHasSortedKeys() {
    #expect(
      Self.text(.json(["b": "é", "a": "/"])) == """
        HTTP/1.1 200 OK
        Content-Length: 18
        Content-Type: application/json; charset=utf-8
        Connection: keep-alive
        …

        {"a":"/","b":"é"}
        """)
  }

  @Test func errorsContainTheirMessage() {
    #expect(
      Self.text(.error(404, "no \"a\""), keepAlive: false) == """
        HTTP/1.1 404 Not Found
        Content-Length: 20
        Content-Type: application/json; charset=utf-8
        Connection: close
        …

        {"error":"no \\"a\\""}
        """)
  }

  @Test func valuesWithoutJSONAreErrors() {
    #expect(HTTPResponse.json([Double.nan]) == .error(500, "the result cannot be encoded as JSON"))
  }

  @Test func responsesToHEADHaveNoBody() {
    let response = HTTPResponse(contentType: "text/plain", body: Data("abc".utf8))
    #expect(
      Self.text(response, isHead: true) == """
        HTTP/1.1 200 OK
        Content-Length: 3
        Content-Type: text/plain
        Connection: keep-alive
        …


        """)
  }

  @Test func someStatusesHaveNoBody() {
    let response = HTTPResponse(status: 204, contentType: "text/plain", body: Data("abc".utf8), endsConnection: true)
    #expect(Self.text(response) == "HTTP/1.1 204 No Content\nConnection: close\n…\n\n")
  }

  @Test(arguments: [(99, "500 Internal Server Error"), (600, "500 Internal Server Error"), (299, "299 Status")])
  func statusesHaveThreeDigits(_ status: Int, _ expected: String) {
    let response = HTTPResponse(status: status, contentType: "a/b", body: Data())
    #expect(Self.text(response).prefix { $0 != "\n" } == "HTTP/1.1 \(expected)")
  }

  @Test func headersCannotAddLines() {
    var response = HTTPResponse(contentType: "a/b\r\nA: 1", body: Data())
    response.headers = [
      .init("B", "1\r\n\r\n2\n3\r4\0"), .init("C\r\nD", "5"), .init("E:", "6"), .init("", "7"), .init("F", "é"),
    ]
    #expect(
      Self.text(response) == """
        HTTP/1.1 200 OK
        Content-Length: 0
        Content-Type: a/b  A: 1
        Connection: keep-alive
        …
        B: 1    2 3 4\u{20}
        F: é


        """)
  }

  @Test(arguments: [
    "Content-Length", "transfer-encoding", "CONNECTION", "content-type", "cache-control", "content-security-policy",
    "x-frame-options",
  ])
  func headersOfTheServerAreKept(_ name: String) {
    var response = HTTPResponse(contentType: "a/b", body: Data())
    let text = Self.text(response)
    response.headers = [.init(name, "9")]
    #expect(Self.text(response) == text)
  }
}
