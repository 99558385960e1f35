import Foundation

/// Standbys, server failures and copies.
extension PostgresServer {
  /// Starts a standby that streams from a server.
  ///
  /// - Parameters:
  ///   - primary: The server to replicate.
  ///   - isSynchronous: True if the primary only acknowledges a transaction after the standby has received it.
  public convenience init(standbyOf primary: PostgresServer, isSynchronous: Bool = false) throws {
    try self.init(["standby", String(ProcessInfo.processInfo.processIdentifier), primary.folder.path])
    if isSynchronous {
      try primary.psql("ALTER SYSTEM SET synchronous_standby_names = '*'")
      try primary.psql("SELECT pg_reload_conf()")
      try primary.wait("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'", for: "1")
    }
  }

  /// Disconnects the standby from the primary. It keeps the data received so far.
  public func disconnect() throws {
    try psql("ALTER SYSTEM SET primary_conninfo = ''")
    try psql("SELECT pg_reload_conf()")
    try wait("SELECT count(*) FROM pg_stat_wal_receiver", for: "0")
  }

  /// Waits until the standby has applied all changes that the primary has written.
  public func catchUp(with primary: PostgresServer) throws {
    let position = try primary.psql("SELECT pg_current_wal_lsn()")
    try wait("SELECT pg_last_wal_replay_lsn() >= '\(position)'", for: "t")
  }

  /// Kills the server to simulate a crash.
  public func kill() throws { try control("kill") }

  /// Shuts the server down cleanly. Pending changes are sent to standbys first.
  public func stop() throws { try control("stop") }

  /// Starts the server again.
  public func start() throws { try control("start") }

  /// Promotes the standby to primary, and waits until it accepts transactions.
  public func promote() throws { try control("promote") }

  private func control(_ command: String) throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bash", Self.script, command, folder.path]
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(message: "'\(command)' has failed: \(text)") }
  }

  /// Waits until a query returns the given text.
  public func wait(_ query: String, for text: String) throws {
    let end = ContinuousClock.now + .seconds(30)
    while try psql(query) != text {
      guard ContinuousClock.now < end else { throw Failure(message: "'\(query)' does not return '\(text)'") }
      Thread.sleep(forTimeInterval: 0.02)
    }
  }

  /// Copies a schema to a different server with `pg_dump` and `psql`, or to this server after dropping the schema.
  public func copy(_ schema: String, to other: PostgresServer) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sql")
    defer { try? FileManager.default.removeItem(at: file) }
    try run("pg_dump", ["-d", url(), "-n", "\"\(schema)\"", "-f", file.path])
    if other === self { try psql("DROP SCHEMA \"\(schema)\" CASCADE") }
    try other.run("psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", other.url(), "-f", file.path])
  }
}
