import CPostgres
import Foundation

/// The settings of a connection: what a URL or a conninfo string says, checked before the first connection is made.
struct ConnectionAddress: Sendable, CustomStringConvertible, CustomReflectable {
  /// libpq's keywords and their values, without the password if a closure supplies it.
  private var settings: [(keyword: String, value: String)]
  /// The longest time for a connection to one host.
  let connectTimeout: Duration

  /// - Parameters:
  ///   - text: a URL, `postgres://user@host/database`, or a conninfo string, `host=/run dbname=trips`.
  ///   - security: how connections to other hosts are protected.
  /// - Throws: ``PostgresError/Code/invalidConfiguration`` or ``PostgresError/Code/insecureConnection``.
  init(_ text: String, _ security: PostgresConfiguration.TLSMode, connectTimeout: Duration) throws {
    var problem: UnsafeMutablePointer<CChar>?
    // A setting is cut off at U+0000.
    guard !text.utf8.contains(0), let options = PQconninfoParse(text, &problem) else {
      // libpq repeats the whole text, which may contain a password, in the message. The message is left out.
      if let problem { PQfreemem(problem) }
      throw PostgresError(
        .invalidConfiguration,
        "the connection settings are neither a URL such as 'postgres://user@host/database' nor a conninfo string such as "
          + "'host=/var/run/postgresql dbname=trips'")
    }
    defer { PQconninfoFree(options) }
    var settings: [(keyword: String, value: String)] = []
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        settings.append((String(cString: keyword), String(cString: value)))
      }
      option += 1
    }
    self.settings = settings
    let seconds = settings.first { $0.keyword == "connect_timeout" }.flatMap { Int64($0.value) } ?? 0
    self.connectTimeout = seconds > 0 ? .seconds(seconds) : connectTimeout
    if text.hasPrefix("postgres") { try checkSeparators() }
    set("client_encoding", "UTF8")
    setDefault("application_name", ProcessInfo.processInfo.processName)
    if let mode = security.sslmode {
      set("sslmode", mode)
    } else if !isLocal, self["sslmode"] != "verify-full" {
      guard self["sslmode"] == nil else {
        throw PostgresError(
          .insecureConnection,
          "'sslmode=\(self["sslmode"] ?? "")' does not verify that \(place) is the server it claims to be: write "
            + "'sslmode=verify-full', or set the configuration's 'tls' to accept the risk")
      }
      set("sslmode", "verify-full")
    }
  }

  subscript(keyword: String) -> String? { settings.first { $0.keyword == keyword }?.value }

  mutating func set(_ keyword: String, _ value: String) {
    settings.removeAll { $0.keyword == keyword }
    settings.append((keyword, value))
  }

  private mutating func setDefault(_ keyword: String, _ value: String) {
    if self[keyword] == nil { set(keyword, value) }
  }

  /// In a URL, a password with a separator that is not written as `%40`, `%2F` and so on is divided: its rest becomes part of the
  /// host, the port or the database, which errors contain.
  private func checkSeparators() throws {
    let isHost = (self["host"] ?? "").split(separator: ",").allSatisfy { $0.hasPrefix("@") || !$0.contains("@") }
    let isPort = (self["port"] ?? "").utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ",") }
    guard isHost, isPort, !(self["dbname"] ?? "").contains("@") else {
      throw PostgresError(
        .invalidConfiguration,
        "the connection settings have '@' in a host or a database, or letters in a port: write '@', ':' and '/' of a user "
          + "name or a password as '%40', '%3A' and '%2F'")
    }
  }

  /// True if no host is on another machine.
  private var isLocal: Bool {
    // The host is in a file then.
    if self["service"] != nil || getenv("PGSERVICE") != nil { return false }
    func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    let places =
      self["hostaddr"] ?? self["host"] ?? environment("PGHOSTADDR") ?? environment("PGHOST") ?? ""
    return places.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { host in
      host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
        || Self.isLoopback(String(host))
    }
  }

  /// True for an address such as 127.0.0.1, and not for a name that begins so.
  private static func isLoopback(_ host: String) -> Bool {
    var address = in_addr()
    return host.hasPrefix("127.") && inet_pton(AF_INET, host, &address) == 1
  }

  /// The address without the hosts up to a given one; nil if there are no others.
  func behind(host: String) -> Self? {
    let lists = ["host", "hostaddr", "port"].compactMap { keyword in
      self[keyword].map { (keyword, $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)) }
    }
    let count = lists.filter { $0.0 != "port" }.map(\.1.count).max() ?? 0
    guard count > 1 else { return nil }
    let position = lists.lazy.filter { $0.0 != "port" }.compactMap { $0.1.firstIndex(of: host) }.first ?? 0
    guard position + 1 < count else { return nil }
    var rest = self
    for (keyword, values) in lists where values.count == count {
      rest.set(keyword, values[(position + 1)...].joined(separator: ","))
    }
    return rest
  }

  var description: String { place }

  /// Without the settings, which may contain a password.
  var customMirror: Mirror { Mirror(self, children: ["place": place]) }

  /// The server and the database, without user and password.
  var place: String {
    "\(self["host"] ?? self["hostaddr"] ?? "the local server")/\(self["dbname"] ?? self["user"] ?? "")"
  }

  /// Calls `body` with the settings in libpq's form.
  func withSettings<Result>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let keywords = settings.map { strdup($0.keyword) }
    let values = settings.map { strdup($0.value) }
    defer { for text in keywords + values { free(text) } }
    let first = keywords.map { UnsafePointer<CChar>($0) } + [nil]
    let second = values.map { UnsafePointer<CChar>($0) } + [nil]
    return body(first, second)
  }
}

/// Connects to a server without waiting longer than the address allows.
struct ConnectionAttempt {
  let address: ConnectionAddress

  /// Connects to the first host of the address that accepts a connection in time.
  ///
  /// The limit holds for each host. The resolver has its own limit for finding the address of a name.
  ///
  /// - Throws: ``PostgresError/Code/connectionFailed``.
  func connect() throws -> OpaquePointer {
    var address = address
    while true {
      guard let handle = address.withSettings({ PQconnectStartParams($0, $1, 0) }) else {
        throw PostgresError(.connectionFailed, "there is no memory for a connection to \(address.place)")
      }
      do {
        if try isConnected(handle) { return handle }
        // libpq goes on to the next host by itself, but not when the time is over.
        guard let rest = address.behind(host: PQhost(handle).map { String(cString: $0) } ?? "") else {
          throw PostgresError(
            .connectionFailed,
            "no connection to \(address.place): the server has not accepted it within \(address.connectTimeout)")
        }
        PQfinish(handle)
        address = rest
      } catch {
        PQfinish(handle)
        throw error
      }
    }
  }

  /// True once the session has begun; false if the time is over.
  private func isConnected(_ handle: OpaquePointer) throws -> Bool {
    let deadline = ContinuousClock.now + address.connectTimeout
    var state = PGRES_POLLING_WRITING
    if PQstatus(handle) == CONNECTION_BAD { state = PGRES_POLLING_FAILED }
    while true {
      switch state {
      case PGRES_POLLING_OK: return true
      case PGRES_POLLING_FAILED:
        let message = String(cString: PQerrorMessage(handle)).trimmingCharacters(in: .whitespacesAndNewlines)
        throw PostgresError(.connectionFailed, "no connection to \(address.place): \(message)")
      default:
        let events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
        var socket = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
        let rest = ContinuousClock.now.duration(to: deadline)
        guard rest > .zero else { return false }
        if poll(&socket, 1, rest.pollTimeout) > 0 { state = PQconnectPoll(handle) }
      }
    }
  }
}

extension Duration {
  /// The milliseconds for `poll`, rounded up.
  var pollTimeout: Int32 {
    guard self > .zero else { return 0 }
    guard self < .seconds(1_000_000) else { return .max }
    let (seconds, attoseconds) = components
    return Int32(clamping: seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// The duration in seconds.
  var inSeconds: Double { self / .seconds(1) }
}
