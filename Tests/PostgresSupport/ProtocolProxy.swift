import Foundation
import Synchronization

/// A proxy between clients and a PostgreSQL server. It calls a rule for every message, which returns an action.
///
/// ```swift
/// let proxy = try ProtocolProxy(to: server) { message in
///   message.sql?.contains("LISTEN") == true ? .reject(sqlState: "0A000", "LISTEN is not supported") : .forward
/// }
/// defer { proxy.stop() }
/// let configuration = PostgresConfiguration(url: proxy.url())
/// ```
public final class ProtocolProxy: Sendable {
  /// The treatment of a message.
  public enum Action: Sendable {
    /// Forwards the message to the receiver.
    case forward
    /// Discards the message and closes both connections.
    case cut
    /// Forwards the message, and then closes both connections.
    case cutAfter
    /// Delays the message and all subsequent messages in both directions.
    case delay(Duration)
    /// Discards the message and all later messages on the connection, which remains open.
    case stall
    /// Forwards the message, but discards all later messages on the connection, which remains open.
    case stallAfter
    /// Hides the statement from the server and sends the client an error. The error has the effects of a server error:
    /// the rest of the pipeline is skipped, and the transaction fails. For client messages in a session, such as
    /// Query, Parse, Bind and Execute, and for the startup message.
    case reject(sqlState: String, _ message: String)
  }

  public typealias Rule = @Sendable (ProtocolMessage) -> Action

  /// The type of socket that clients connect to.
  public enum Endpoint: Sendable { case unixSocket, tcp }

  private let core: ProxyCore
  private let host: String
  private let port: Int

  /// Starts the proxy.
  ///
  /// - Parameters:
  ///   - server: The server behind the proxy.
  ///   - endpoint: The socket that clients connect to. With TCP, libpq also sends TLS requests.
  ///   - rule: Called for each message, on the connection's thread.
  public init(
    to server: PostgresServer, _ endpoint: Endpoint = .unixSocket, rule: @escaping Rule = { _ in .forward }
  ) throws {
    let listener: Int32
    switch endpoint {
    case .unixSocket:
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trellis-proxy-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      host = folder.path
      port = 5432
      listener = try ProxySocket.listening(path: "\(host)/.s.PGSQL.5432")
    case .tcp:
      host = "127.0.0.1"
      (listener, port) = try ProxySocket.listeningOnLoopback()
    }
    core = ProxyCore(listener: listener, server: "\(server.folder.path)/.s.PGSQL.5432", rule: rule)
    let core = core
    let thread = Thread { core.accept() }
    thread.name = "protocol proxy"
    thread.start()
  }

  deinit { stop() }

  /// The connection settings for a database behind the proxy.
  public func url(_ database: String = "postgres", user: String = "trellis") -> String {
    "host=\(host) port=\(port) user=\(user) dbname=\(database)"
  }

  /// Replaces the rule. Messages that the earlier rule has delayed remain delayed.
  public func setRule(_ rule: @escaping Rule) { core.state.withLock { $0.rule = rule } }

  /// All messages since ``forgetTrace()``, including messages that were not forwarded.
  public var trace: [ProtocolMessage] { core.state.withLock { $0.trace } }

  /// Clears the trace. The next message is step 0 again.
  public func forgetTrace() { core.state.withLock { $0.trace = [] } }

  /// The number of client connections so far.
  public var connectionCount: Int { core.state.withLock { $0.connections } }

  /// Closes all connections and accepts no more.
  public func stop() {
    core.isStopped.store(true, ordering: .relaxed)
    if host.hasPrefix("/") { try? FileManager.default.removeItem(atPath: host) }
  }
}

/// State shared by the proxy's threads.
final class ProxyCore: Sendable {
  struct State {
    var rule: ProtocolProxy.Rule
    var trace: [ProtocolMessage] = []
    var connections = 0
  }

  /// The interval at which threads check whether the proxy was stopped, in milliseconds.
  static let tick: Int32 = 50

  let state: Mutex<State>
  let isStopped = Atomic<Bool>(false)
  private let listener: Int32
  private let server: String

  init(listener: Int32, server: String, rule: @escaping ProtocolProxy.Rule) {
    self.listener = listener
    self.server = server
    state = Mutex(State(rule: rule))
  }

  /// Accepts connections until the proxy is stopped.
  func accept() {
    defer { close(listener) }
    while !isStopped.load(ordering: .relaxed) {
      guard ProxySocket.wait(listener, POLLIN, Self.tick) else { continue }
      let client = ProxySocket.nextClient(listener)
      guard client >= 0 else { continue }
      let number = state.withLock { state in
        defer { state.connections += 1 }
        return state.connections
      }
      let server = server
      let thread = Thread {
        guard let other = ProxySocket.connected(path: server) else {
          close(client)
          return
        }
        ProxiedConnection(core: self, number: number, client: client, server: other).run()
      }
      thread.name = "protocol proxy \(number)"
      thread.start()
    }
  }

  /// Numbers a message and calls the rule.
  func action(for message: inout ProtocolMessage) -> ProtocolProxy.Action {
    var numbered = message
    let rule = state.withLock { state in
      numbered.step = state.trace.count
      state.trace.append(numbered)
      return state.rule
    }
    message = numbered
    return rule(numbered)
  }
}
