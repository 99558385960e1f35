import Dispatch
import Foundation
import StoreStudio
import Synchronization
import TestTraits
import Testing

/// Servers on free ports, and clients that send bytes.
@Suite(.waiting) struct HTTPServerTests {
  /// Runs a server while a function uses its port. The server must end when it is stopped.
  private func serve(
    _ limits: HTTPServer.Limits = .init(), refusing refusal: @escaping HTTPServer.Refusal = { _ in nil },
    _ handler: @escaping HTTPServer.Handler = Self.answer, _ body: (HTTPServer) throws -> Void
  ) throws {
    let server = try HTTPServer(limits: limits)
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      server.run(refusing: refusal, handler)
      end.signal()
    }
    defer {
      server.stop()
      #expect(end.wait(timeout: .now() + 10) == .success, "the server does not end")
    }
    try body(server)
  }

  /// Answers with the path and the length of the body.
  private static let answer: HTTPServer.Handler = { request in
    let text = "\(request.method) /\(request.path.joined(separator: "/")) \(request.body.count)"
    return HTTPResponse(contentType: "text/plain", body: Data(text.utf8))
  }

  private static func limits(_ change: (inout HTTPServer.Limits) -> Void) -> HTTPServer.Limits {
    var limits = HTTPServer.Limits()
    change(&limits)
    return limits
  }

  // MARK: Requests

  @Test func connectionsAreKept() throws {
    try serve { server throws in
      let client = try HTTPClient(server.port)
      for path in ["/a", "/b"] {
        client.send("GET \(path) HTTP/1.1", "Host: h")
        let response = try client.response()
        #expect(response.text == "200 GET \(path) 0")
        #expect(response.headers["Connection"] == "keep-alive")
      }
      client.send("HEAD /c HTTP/1.1", "Host: h")
      #expect(try client.response(isHead: true).headers["Content-Length"] == "9")
      client.send("POST /d HTTP/1.1", "Host: h", "Content-Length: 3", "Connection: close", body: Data("abc".utf8))
      let response = try client.response()
      #expect(response.text == "200 POST /d 3")
      #expect(response.headers["Connection"] == "close")
      #expect(client.isClosed)
    }
  }

  @Test func requestsCanArriveTogether() throws {
    try serve { server throws in
      let client = try HTTPClient(server.port)
      let requests = (0..<200).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined()
      client.send(Data(requests.utf8))
      let texts = try (0..<200).map { _ in try client.response().text }
      #expect(texts == (0..<200).map { "200 GET /\($0) 0" })
    }
  }

  @Test(arguments: [
    ("GET /token/a HTTP/1.1", "Host: localhost:PORT", "200 GET /token/a 0"),
    ("GET /other/a HTTP/1.1", "Host: localhost:PORT", "404 not found"),
    (
      "GET /token/a HTTP/1.1", "Host: evil.example:PORT",
      "421 this server answers only requests to 127.0.0.1:PORT and localhost:PORT"
    ),
    (
      "GET /token/a HTTP/1.1", "Host: localhost:PORT\r\nOrigin: http://evil.example",
      "403 foreign pages have no access"
    ),
    ("DELETE /token/a HTTP/1.1", "Host: localhost:PORT", "405 this server allows GET, HEAD"),
  ])
  func foreignRequestsAreRefused(_ line: String, _ headers: String, _ expected: String) throws {
    let access = Mutex<StudioAccess?>(nil)
    let handler: HTTPServer.Handler = { request in
      access.withLock { $0 }?.refusal(of: request) ?? Self.answer(request)
    }
    try serve(.init(), handler) { server throws in
      access.withLock { $0 = StudioAccess(port: server.port, token: "token") }
      let client = try HTTPClient(server.port)
      client.send(line, headers.replacing("PORT", with: "\(server.port)"))
      let response = try client.response()
      #expect(response.text == expected.replacing("PORT", with: "\(server.port)"))
      #expect(response.headers["Connection"] == (response.status == 200 ? "keep-alive" : "close"))
      if response.status != 200 { #expect(client.isClosed) }
    }
  }

  @Test func wrongRequestsEndTheConnection() throws {
    try serve { server throws in
      let client = try HTTPClient(server.port)
      client.send("GET /a HTTP/1.1", "Host: h")
      client.send("GET /../b HTTP/1.1", "Host: h")
      client.send("GET /c HTTP/1.1", "Host: h")
      #expect(try client.response().text == "200 GET /a 0")
      #expect(try client.response().text == "400 the target is not a path with valid percent escapes")
      #expect(client.isClosed)
    }
  }

  @Test func aBodyIsNotReadForAStranger() throws {
    let refusal: HTTPServer.Refusal = { $0.path == ["secret"] ? nil : .error(404, "not found") }
    try serve(refusing: refusal) { server throws in
      let client = try HTTPClient(server.port)
      client.send("POST /x HTTP/1.1", "Host: h", "Content-Length: 1000000", body: Data(count: 10))
      #expect(try client.response().text == "404 not found")
      #expect(client.isClosed)
      let friend = try HTTPClient(server.port)
      friend.send("POST /secret HTTP/1.1", "Host: h", "Content-Length: 3", body: Data(count: 3))
      #expect(try friend.response().text == "200 POST /secret 3")
    }
  }

  /// The client reads the response although the server has not read the body.
  @Test func largeBodiesAreRefused() throws {
    try serve { server throws in
      let client = try HTTPClient(server.port)
      client.send("POST / HTTP/1.1", "Host: h", "Content-Length: 20000000", body: Data(count: 20_000_000))
      #expect(try client.response().text == "413 a body is not larger than 16 MiB")
    }
  }

  @Test func largeResponsesAreComplete() throws {
    let body = Data(count: 8 << 20) + Data("end".utf8)
    try serve(.init(), { _ in HTTPResponse(contentType: "a/b", body: body) }) { server throws in
      let client = try HTTPClient(server.port)
      client.send("GET / HTTP/1.1", "Host: h")
      #expect(try client.response().body == body)
    }
  }

  @Test func responsesAreLimited() throws {
    let limits = Self.limits { $0.responseSize = 2 << 20 }
    let handler: HTTPServer.Handler = { request in
      HTTPResponse(contentType: "a/b", body: Data(count: (2 << 20) + (request.path == ["large"] ? 1 : 0)))
    }
    try serve(limits, handler) { server throws in
      let client = try HTTPClient(server.port)
      client.send("GET /small HTTP/1.1", "Host: h")
      #expect(try client.response().status == 200)
      client.send("GET /large HTTP/1.1", "Host: h")
      #expect(try client.response().text == "500 the result is larger than 2 MiB")
    }
  }

  // MARK: Slow clients

  @Test func pausesWithinARequestAreLimited() throws {
    try serve(Self.limits { $0.pause = .milliseconds(50) }) { server throws in
      let client = try HTTPClient(server.port)
      client.send(Data("GET / HT".utf8))
      #expect(try client.response().text == "408 the request has not arrived in time")
      #expect(client.isClosed)
    }
  }

  /// A client that sends a byte from time to time must not occupy its connection.
  @Test func theTimeOfARequestIsLimited() throws {
    try serve(Self.limits { $0.request = .milliseconds(100) }) { server throws in
      let client = try HTTPClient(server.port)
      let start = ContinuousClock.now
      while start.duration(to: .now) < .milliseconds(120) {
        client.send(Data("G".utf8))
        usleep(10_000)
      }
      #expect(try client.response().text == "408 the request has not arrived in time")
    }
  }

  @Test func idleConnectionsAreClosed() throws {
    try serve(Self.limits { $0.idle = .milliseconds(300) }) { server throws in
      let (silent, client) = (try HTTPClient(server.port), try HTTPClient(server.port))
      client.send("GET /a HTTP/1.1", "Host: h")
      #expect(try client.response().text == "200 GET /a 0")
      #expect(silent.isClosed)
      #expect(client.isClosed)
    }
  }

  @Test func clientsMustReadTheirResponse() throws {
    let limits = Self.limits {
      $0.pause = .milliseconds(50)
      $0.linger = .milliseconds(50)
      $0.connections = 1
    }
    let ended = DispatchSemaphore(value: 0)
    let handler: HTTPServer.Handler = { request in
      ended.signal()
      return HTTPResponse(contentType: "a/b", body: Data(count: request.path == ["large"] ? 32 << 20 : 0))
    }
    try serve(limits, handler) { server throws in
      let client = try HTTPClient(server.port)
      client.send("GET /large HTTP/1.1", "Host: h")
      #expect(ended.wait(timeout: .now() + 10) == .success)
      #expect(try Self.isServed(server.port))
      #expect(throws: HTTPClient.Failure.self) { try client.response() }
    }
  }

  // MARK: Connections

  @Test func connectionsAreLimited() throws {
    try serve { server throws in
      let clients = try (0..<40).map { _ in try HTTPClient(server.port) }
      for client in clients { client.send("GET /a HTTP/1.1", "Host: h") }
      let texts = try clients.map { try $0.response().text }
      #expect(texts.prefix(32).allSatisfy { $0 == "200 GET /a 0" })
      #expect(texts.suffix(8).allSatisfy { $0 == "503 the server has too many connections" })
      #expect(clients.suffix(8).allSatisfy { $0.isClosed })
      clients[0].send("GET /b HTTP/1.1", "Host: h", "Connection: close")
      #expect(try clients[0].response().text == "200 GET /b 0")
    }
  }

  @Test func endedConnectionsAreFree() throws {
    try serve(Self.limits { $0.connections = 2 }) { server throws in
      for _ in 0..<20 { #expect(try Self.isServed(server.port)) }
    }
  }

  /// Repeats a request until it is served. Earlier connections can take a moment to end.
  private static func isServed(_ port: Int) throws -> Bool {
    for _ in 0..<400 {
      let client = try HTTPClient(port)
      client.send("GET / HTTP/1.1", "Host: h", "Connection: close")
      if (try? client.response().status) == 200 { return true }
      usleep(5_000)
    }
    return false
  }

  /// Each of two calls waits for the other.
  @Test func handlersRunAtTheSameTime() throws {
    let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let handler: HTTPServer.Handler = { request in
      let (own, other) = request.path == ["first"] ? (first, second) : (second, first)
      own.signal()
      return other.wait(timeout: .now() + 10) == .success ? Self.answer(request) : .error(500, "alone")
    }
    try serve(.init(), handler) { server throws in
      let clients = try ["first", "second"].map { name in
        let client = try HTTPClient(server.port)
        client.send("GET /\(name) HTTP/1.1", "Host: h")
        return client
      }
      #expect(try clients.map { try $0.response().text } == ["200 GET /first 0", "200 GET /second 0"])
    }
  }

  // MARK: Start and stop

  @Test func stoppingEndsWaitingClients() throws {
    try serve { server throws in
      let (idle, started) = (try HTTPClient(server.port), try HTTPClient(server.port))
      idle.send("GET /a HTTP/1.1", "Host: h")
      #expect(try idle.response().text == "200 GET /a 0")
      started.send(Data("GET /".utf8))
      server.stop()
      #expect(idle.isClosed)
      #expect(started.isClosed)
      server.stop()
    }
  }

  @Test func handlersCanStopTheServer() throws {
    let server = try HTTPServer()
    let client = try HTTPClient(server.port)
    client.send("GET /stop HTTP/1.1", "Host: h")
    server.run { request in
      server.stop()
      return Self.answer(request)
    }
    let response = try client.response()
    #expect(response.text == "200 GET /stop 0")
    #expect(response.headers["Connection"] == "close")
    #expect(client.isClosed)
    #expect(throws: HTTPClient.Failure.self) { try HTTPClient(server.port) }
    // A stopped server does not start again.
    server.run(Self.answer)
  }

  @Test func portsCanBeUsedAgain() throws {
    var port = 0
    for _ in 0..<3 {
      let server = try HTTPServer(port: port)
      port = server.port
      let client = try HTTPClient(port)
      client.send("GET /a HTTP/1.1", "Host: h", "Connection: close")
      server.run { request in
        server.stop()
        return Self.answer(request)
      }
      #expect(try client.response().text == "200 GET /a 0")
    }
  }

  @Test func usedPortsAreReported() throws {
    let server = try HTTPServer()
    let port = server.port
    #expect(throws: HTTPServerError.portInUse(port)) { try HTTPServer(port: port) }
    server.stop()
    #expect(try HTTPServer(port: port).port == port)
  }

  @Test(arguments: [-1, 65_536, Int.max])
  func portsHaveSixteenBits(_ port: Int) {
    #expect(throws: HTTPServerError.noSuchPort(port)) { try HTTPServer(port: port) }
  }

  private static let errors: [(HTTPServerError, String)] = [
    (
      .portInUse(80),
      "port 80 is in use: stop the program that uses it, or choose another port; port 0 is any free port"
    ),
    (.portReserved(80), "port 80 is reserved: choose a port from 1024 to 65535; port 0 is any free port"),
    (.noSuchPort(-1), "there is no port -1: choose a port from 1024 to 65535; port 0 is any free port"),
    (.call("socket", code: 24), "the server cannot start: socket: Too many open files"),
  ]

  @Test(arguments: errors)
  func errorsSayWhatToDo(_ error: HTTPServerError, _ expected: String) {
    #expect(error.description == expected)
  }
}
