import CPostgres
import Foundation

/// Connection settings from a URL or a conninfo string, checked before the first connection.
struct ConnectionAddress: Sendable, CustomStringConvertible, CustomReflectable {
  /// libpq keywords and values. Excludes the password if a closure supplies it.
  var settings: [String: String] = [:]

  /// - Parameters:
  ///   - text: A URL, `postgres://user@host/database`, or a conninfo string, `host=/run dbname=trips`.
  ///   - security: The protection of connections to other hosts.
  ///   - connectTimeout: The longest time for a connection to one host, in whole seconds.
  /// - Throws: ``PostgresError/Code/invalidConfiguration`` or ``PostgresError/Code/insecureConnection``.
  init(_ text: String, _ security: PostgresConfiguration.TLSMode, connectTimeout: Duration) throws {
    var problem: UnsafeMutablePointer<CChar>?
    // A setting would be truncated at U+0000.
    guard !text.utf8.contains(0), let options = PQconninfoParse(text, &problem) else {
      // libpq repeats the entire text, which may contain a password, in the message. The message is therefore omitted.
      if let problem { PQfreemem(problem) }
      throw PostgresError(
        .invalidConfiguration,
        "the connection settings are neither a URL such as 'postgres://user@host/database' nor a conninfo string such "
          + "as 'host=/var/run/postgresql dbname=trips'")
    }
    defer { PQconninfoFree(options) }
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { settings[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    if Int(settings["connect_timeout"] ?? "") ?? 0 <= 0 {
      settings["connect_timeout"] = String((connectTimeout.pollTimeout - 1) / 1_000 + 1)
    }
    if text.hasPrefix("postgres") { try checkSeparators() }
    settings["client_encoding"] = "UTF8"
    settings["application_name"] = settings["application_name"] ?? ProcessInfo.processInfo.processName
    if let mode = security.sslmode {
      settings["sslmode"] = mode
    } else if !isLocal, settings["sslmode"] != "verify-full" {
      guard settings["sslmode"] == nil else {
        throw PostgresError(
          .insecureConnection,
          "'sslmode=\(settings["sslmode"] ?? "")' does not verify that \(place) is the server it claims to be: write "
            + "'sslmode=verify-full', or set the configuration's 'tls' to accept the risk")
      }
      settings["sslmode"] = "verify-full"
    }
  }

  /// Rejects URLs whose password contains a separator that is not written as `%40`, `%2F` and so on. The text after the
  /// separator would become part of the host, the port or the database, which appear in errors.
  private func checkSeparators() throws {
    let isHost = (settings["host"] ?? "").split(separator: ",").allSatisfy { $0.hasPrefix("@") || !$0.contains("@") }
    let isPort = (settings["port"] ?? "").utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ",") }
    guard isHost, isPort, !(settings["dbname"] ?? "").contains("@") else {
      throw PostgresError(
        .invalidConfiguration,
        "the connection settings have '@' in a host or a database, or letters in a port: write '@', ':' and '/' of a "
          + "user name or a password as '%40', '%3A' and '%2F'")
    }
  }

  /// True if no host is on a remote machine.
  private var isLocal: Bool {
    // In this case, the host is in a file.
    if settings["service"] != nil || getenv("PGSERVICE") != nil { return false }
    var address = in_addr()
    func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    let places =
      settings["hostaddr"] ?? settings["host"] ?? environment("PGHOSTADDR") ?? environment("PGHOST") ?? ""
    return places.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { host in
      host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
        // An address such as 127.0.0.1, not a name with the same prefix.
        || host.hasPrefix("127.") && inet_pton(AF_INET, String(host), &address) == 1
    }
  }

  var description: String { place }

  /// Omits the settings, which may contain a password.
  var customMirror: Mirror { Mirror(self, children: ["place": place]) }

  /// The server and the database, excluding user and password.
  var place: String {
    "\(settings["host"] ?? settings["hostaddr"] ?? "the local server")/\(settings["dbname"] ?? settings["user"] ?? "")"
  }

  /// Connects to the first host that accepts a connection in time. The limit applies to each host.
  ///
  /// - Throws: ``PostgresError/Code/connectionFailed``.
  func connect() throws -> OpaquePointer {
    let keywords = settings.keys.map { strdup($0) }
    let values = settings.values.map { strdup($0) }
    defer { for text in keywords + values { free(text) } }
    let handle = PQconnectdbParams(
      keywords.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 0)
    guard let handle, PQstatus(handle) == CONNECTION_OK else {
      defer { PQfinish(handle) }
      let message = String(cString: PQerrorMessage(handle)).trimmingCharacters(in: .whitespacesAndNewlines)
      throw PostgresError(.connectionFailed, "no connection to \(place): \(message)")
    }
    return handle
  }
}
