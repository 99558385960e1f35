import Foundation
import Synchronization

/// A proxy between clients and a PostgreSQL server. It sees every message and calls a rule that says what happens with it.
///
/// ```swift
/// let proxy = try ProtocolProxy(to: server) { message in
///   message.sql?.contains("LISTEN") == true ? .reject(sqlState: "0A000", "LISTEN is not supported") : .forward
/// }
/// defer { proxy.stop() }
/// let configuration = PostgresConfiguration(url: proxy.url())
/// ```
public final class ProtocolProxy: Sendable {
  /// What happens with a message.
  public enum Action: Sendable {
    /// It reaches the receiver.
    case forward
    /// Both sides lose the connection. The message does not reach the receiver.
    case cut
    /// The message reaches the receiver. Both sides lose the connection then.
    case cutAfter
    /// It reaches the receiver later, and so do all messages behind it in both directions.
    case delay(Duration)
    /// Neither it nor any later message of the connection reaches the receiver. The connection stays open.
    case stall
    /// The message reaches the receiver, but no later message of the connection does. The connection stays open.
    case stallAfter
    /// The server does not see the statement. The client gets an error instead, with the consequences that an error of the
    /// server has: the rest of the pipeline is skipped, and a transaction has failed. For client messages of a session,
    /// such as Query, Parse, Bind and Execute, and for the startup message.
    case reject(sqlState: String, _ message: String)
  }

  public typealias Rule = @Sendable (ProtocolMessage) -> Action

  /// Where clients connect to.
  public enum Endpoint: Sendable { case unixSocket, tcp }

  private let core: ProxyCore
  private let host: String
  private let port: Int

  /// Starts the proxy.
  ///
  /// - Parameters:
  ///   - server: the server behind the proxy.
  ///   - endpoint: where clients connect to. With TCP, libpq also sends requests for TLS.
  ///   - rule: called for each message, on the thread of the connection.
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

  /// The connection settings of a database behind the proxy.
  public func url(_ database: String = "postgres", user: String = "trellis") -> String {
    "host=\(host) port=\(port) user=\(user) dbname=\(database)"
  }

  /// Replaces the rule. Messages that wait because of the earlier one still do.
  public func setRule(_ rule: @escaping Rule) { core.state.withLock { $0.rule = rule } }

  /// The messages that the proxy has seen since ``forgetTrace()``, also those that it has not forwarded.
  public var trace: [ProtocolMessage] { core.state.withLock { $0.trace } }

  /// Empties the trace. The next message is step 0 again.
  public func forgetTrace() { core.state.withLock { $0.trace = [] } }

  /// The number of connections that clients have made.
  public var connectionCount: Int { core.state.withLock { $0.connections } }

  /// Closes all connections and accepts no more.
  public func stop() {
    core.isStopped.store(true, ordering: .relaxed)
    if host.hasPrefix("/") { try? FileManager.default.removeItem(atPath: host) }
  }
}

/// What the threads of a proxy share.
final class ProxyCore: Sendable {
  struct State {
    var rule: ProtocolProxy.Rule
    var trace: [ProtocolMessage] = []
    var connections = 0
  }

  /// How often threads look whether the proxy was stopped, in milliseconds.
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
