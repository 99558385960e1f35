import Foundation
import StoreStudio
import Testing

/// Requests and the results of the parser, which must not depend on the pieces in which a request arrives.
@Suite struct HTTPParserTests {
  /// Returns the requests, and the status and message of a failure.
  private static func results(_ input: [UInt8], piece size: Int) -> [String] {
    var parser = HTTPParser()
    var results: [String] = []
    for start in stride(from: 0, to: input.count, by: size) {
      parser.append(input[start..<min(start + size, input.count)])
      do {
        while let request = try parser.next() { results.append(text(of: request)) }
      } catch { return results + ["\(error.response.status) \(message(of: error.response))"] }
    }
    return results + (parser.isIdle ? [] : ["incomplete"])
  }

  private static func text(of request: HTTPRequest) -> String {
    let query = request.query.names.map { "\($0)=\(request.query[$0] ?? "")" }
    return ([request.method, "\(request.path)"] + query + [String(decoding: request.body, as: UTF8.self)])
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func message(of response: HTTPResponse) -> String {
    (try? JSONDecoder().decode([String: String].self, from: response.body))?["error"] ?? ""
  }

  private func expect(_ input: [UInt8], _ expected: [String], _ location: SourceLocation = #_sourceLocation) {
    for size in [max(input.count, 1), 1, 7] {
      #expect(Self.results(input, piece: size) == expected, "in pieces of \(size) bytes", sourceLocation: location)
    }
  }

  /// Returns the bytes of a request with these lines and the header `Host`.
  private static func bytes(_ lines: String...) -> [UInt8] {
    Array((lines.prefix(1) + ["Host: h"] + lines.dropFirst()).map { $0 + "\r\n" }.joined().utf8) + [13, 10]
  }

  // MARK: Request line

  @Test(arguments: [
    ("GET / HTTP/1.1", #"GET [""]"#),
    ("HEAD /a HTTP/1.0", #"HEAD ["a"]"#),
    ("PATCH /a/b/ HTTP/1.1", #"PATCH ["a", "b", ""]"#),
    ("GET http://h/a?x=1 HTTP/1.1", #"GET ["a"] x=1"#),
    ("GET /a%20b/%C3%a9 HTTP/1.1", #"GET ["a b", "é"]"#),
    ("GET /a+b/...?a+b=c%2Bd HTTP/1.1", #"GET ["a+b", "..."] a b=c+d"#),
    ("GET /?b=2&a=1&b=3&c&&d==&=e%0A HTTP/1.1", "GET [\"\"] b=2 a=1 c= d== =e\n"),
    ("GET /?a=/../?%2F HTTP/1.1", #"GET [""] a=/../?/"#),
  ])
  func targetsAreDecoded(_ line: String, _ expected: String) {
    expect(Self.bytes(line), [expected])
  }

  private static let line = "400 a request begins with 'METHOD /path HTTP/1.1'"
  private static let target = "400 the target is not a path with valid percent escapes"
  private static let version = "505 the server accepts HTTP/1.1 and HTTP/1.0"
  private static let host = "400 a request needs the header 'host', equal to its target's host"

  @Test(arguments: [
    ("", line), ("GET", line), ("GET /", line), ("GET  / HTTP/1.1", line), (" GET / HTTP/1.1", line),
    ("GET / HTTP/1.1 ", line), ("GET\t/\tHTTP/1.1", line), ("GET / x HTTP/1.1", line), ("G(T / HTTP/1.1", line),
    ("GET / http/1.1", line), ("GET / HTTP/1", line), ("GET / HTTP/11", line), ("GET / HTTP/1.1.1", line),
    ("GET / HTTP/a.1", line), ("GET / HTTP/1.2", version), ("GET / HTTP/2.0", version), ("PRI * HTTP/2.0", version),
    ("GET / HTTP/0.9", version), ("OPTIONS * HTTP/1.1", target), ("CONNECT h:80 HTTP/1.1", target),
    ("GET a HTTP/1.1", target), ("GET https://h/ HTTP/1.1", target), ("GET http://h HTTP/1.1", target),
    ("GET http://h?a HTTP/1.1", target), ("GET http://other/ HTTP/1.1", host), ("GET http:/// HTTP/1.1", host),
    ("GET http://u@h/ HTTP/1.1", host), ("GET // HTTP/1.1", target), ("GET /a//b HTTP/1.1", target),
    ("GET /. HTTP/1.1", target), ("GET /a/../b HTTP/1.1", target), ("GET /a/.. HTTP/1.1", target),
    ("GET /%2e%2E/b HTTP/1.1", target), ("GET /.%2e HTTP/1.1", target), ("GET /a%2Fb HTTP/1.1", target),
    ("GET /a\\b HTTP/1.1", target), ("GET /a%5cb HTTP/1.1", target), ("GET /a%00 HTTP/1.1", target),
    ("GET /a%0D%0Ab HTTP/1.1", target), ("GET /?a=%00 HTTP/1.1", target), ("GET /% HTTP/1.1", target),
    ("GET /%4 HTTP/1.1", target), ("GET /%4g HTTP/1.1", target), ("GET /%+1 HTTP/1.1", target),
    ("GET /?%zz=1 HTTP/1.1", target), ("GET /?a=%f HTTP/1.1", target), ("GET /%ff HTTP/1.1", target),
    ("GET /%C0%AF HTTP/1.1", target), ("GET /?a=%ED%A0%80 HTTP/1.1", target), ("GET /é HTTP/1.1", target),
    ("GET /#a HTTP/1.1", target), ("GET /a\u{7F} HTTP/1.1", target),
  ])
  func wrongRequestLinesAreRejected(_ line: String, _ expected: String) {
    expect(Self.bytes(line), [expected])
  }

  // MARK: Lines and headers

  @Test(arguments: [
    ("GET / HTTP/1.1\nHost: h\n\n", ending), ("GET / HTTP/1.1\r\nHost: h\n\r\n", ending),
    ("GET / HTTP/1.1\rHost: h\r\n\r\n", ending), ("GET / HTTP/1.1\r\r\nHost: h\r\n\r\n", ending),
    ("GET / HTTP/1.1\r\nHost: h\rA: b\r\n\r\n", ending), ("GET / HTTP/1.1\r\nHost: h\0\r\n\r\n", ending),
    ("GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n", ending), ("\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", line),
    ("GET / HTTP/1.1\r\n\r\n", host), ("GET / HTTP/1.0\r\n\r\n", host), ("GET / HTTP/1.1\r\nHost:\r\n\r\n", host),
    ("GET / HTTP/1.1\r\nHost: h\r\n", "incomplete"), ("GET / HTTP/1.1\r\nHost: h\r\n\r", "incomplete"),
    ("GET / HTTP/1.1\r\nHost: h\r\n\r\n", #"GET [""]"#), ("G", "incomplete"),
  ])
  func linesEndWithBothCharacters(_ text: String, _ expected: String) {
    expect(Array(text.utf8), [expected])
  }

  private static let ending = "400 lines must end with CR LF and contain neither CR nor NUL"
  private static let name = "400 a header is a name, a colon and a value, in one line"
  private static let value = "400 header values are UTF-8 without control characters"
  private static let length = "400 the header 'content-length' is not a number"

  @Test(arguments: [
    ("Host: h", "400 the header 'host' is repeated"), ("hOST: other", "400 the header 'host' is repeated"),
    (" folded", name), ("\tfolded: a", name), ("A : b", name), ("A\t: b", name), (": b", name), ("A", name),
    ("É: b", name), ("A: \u{1}", value), ("A: \u{7F}", value), ("Content-Length: -1", length),
    ("Content-Length: +1", length), ("Content-Length: 1, 1", length), ("Content-Length: 0x1", length),
    ("Content-Length: 1 1", length), ("Content-Length: ١", length), ("Content-Length:", length),
    ("Content-Length: 16777217", "413 a body is not larger than 16 MiB"),
    ("Content-Length: 99999999999999999999", "413 a body is not larger than 16 MiB"),
    ("Content-Length: 0\r\nContent-Length: 0", "400 the header 'content-length' is repeated"),
    ("Transfer-Encoding: chunked", "501 a body needs the header 'content-length'"),
    ("Transfer-Encoding: identity\r\nContent-Length: 1", "501 a body needs the header 'content-length'"),
    ("Expect: 100-continue", "417 send the body without the header 'expect'"),
    ("Content-Length: 000\r\nA:\t b \t", #"POST [""]"#),
  ])
  func wrongHeadersAreRejected(_ line: String, _ expected: String) {
    expect(Self.bytes("POST / HTTP/1.1", line), [expected])
  }

  @Test func valuesAreValidUTF8() {
    expect(Array("GET / HTTP/1.1\r\nHost: h\r\nA: ".utf8) + [0xC3, 0x28, 13, 10, 13, 10], [Self.value])
  }

  @Test func headersHaveLowercaseNamesAndTrimmedValues() throws {
    var parser = HTTPParser()
    parser.append(Self.bytes("GET / HTTP/1.1", "X-A:\t é  b ", "ETag:", "x-a: c:d"))
    let request = try #require(try parser.next())
    #expect(request.headers == ["host": "h", "x-a": "é  b, c:d", "etag": ""])
  }

  @Test(arguments: [
    ("HTTP/1.1", "A: b", true), ("HTTP/1.1", "Connection: Close", false), ("HTTP/1.1", "Connection: a, close", false),
    ("HTTP/1.0", "A: b", false), ("HTTP/1.0", "Connection: Keep-Alive", true),
    ("HTTP/1.0", "Connection: keep-alive\r\nConnection: close", false),
  ])
  func connectionsAreKept(_ version: String, _ header: String, _ expected: Bool) throws {
    var parser = HTTPParser()
    parser.append(Self.bytes("GET / \(version)", header))
    #expect(try parser.next()?.keepsAlive == expected)
  }

  // MARK: Bodies and limits

  @Test func requestsFollowEachOther() {
    let first = Self.bytes("POST /a HTTP/1.1", "Content-Length: 5")
    let body = Array("GET /".utf8)
    let second = Self.bytes("GET /b HTTP/1.1")
    expect(first + body + second, [#"POST ["a"] GET /"#, #"GET ["b"]"#])
    expect(first + body + second + first, [#"POST ["a"] GET /"#, #"GET ["b"]"#, "incomplete"])
    expect(first + body + Self.bytes("GET b HTTP/1.1") + second, [#"POST ["a"] GET /"#, Self.target])
  }

  @Test func failuresAreFinal() {
    var parser = HTTPParser()
    parser.append(Array("\r\n".utf8))
    #expect(throws: HTTPFailure.self) { try parser.next() }
    parser.append(Self.bytes("GET / HTTP/1.1"))
    #expect(throws: HTTPFailure.self) { try parser.next() }
  }

  @Test func headsAreLimited() {
    let start = "GET / HTTP/1.1\r\nHost: h\r\nA: "
    let longest = HTTPParser.headLimit - start.utf8.count - 4
    for (count, expected) in [(longest, #"GET [""]"#), (longest + 1, "431 the headers are longer than 16 KiB")] {
      expect(Array("\(start)\(String(repeating: "a", count: count))\r\n\r\n".utf8), [expected])
    }
    // An attacker sends no line break.
    expect(Array(start.utf8) + Array(repeating: 65, count: 20_000), ["431 the headers are longer than 16 KiB"])
    expect(Array("GET /".utf8) + Array(repeating: 65, count: 20_000), ["414 the request line is longer than 16 KiB"])
    expect(Array(repeating: 0, count: 20_000), ["414 the request line is longer than 16 KiB"])
  }

  @Test func headersAreCounted() {
    for (count, expected) in [(99, #"GET [""]"#), (100, "431 a request has at most 100 headers")] {
      let lines = (0..<count).map { "A\($0): b\r\n" }.joined()
      expect(Array("GET / HTTP/1.1\r\nHost: h\r\n\(lines)\r\n".utf8), [expected])
    }
  }

  @Test func theLargestBodyIsRead() throws {
    var parser = HTTPParser()
    parser.append(Self.bytes("POST / HTTP/1.1", "Content-Length: \(HTTPParser.bodyLimit)"))
    parser.append(Array(repeating: 65, count: HTTPParser.bodyLimit - 1))
    #expect(try parser.next() == nil)
    parser.append([66])
    let request = try #require(try parser.next())
    #expect(request.body.count == HTTPParser.bodyLimit && request.body.last == 66)
    #expect(parser.isIdle)
  }

  /// Each byte of a request is replaced with each of these bytes. The parser must neither trap nor disagree with itself.
  @Test(arguments: [0, 9, 10, 13, 32, 37, 58, 127, 255] as [UInt8])
  func damagedRequestsHaveOneResult(_ byte: UInt8) {
    let request = Self.bytes("POST /a%20b?c=d HTTP/1.1", "Content-Length: 3", "A: b") + Array("xyz".utf8)
    for index in request.indices {
      var damaged = request
      damaged[index] = byte
      expect(damaged, Self.results(damaged, piece: damaged.count))
    }
  }
}
