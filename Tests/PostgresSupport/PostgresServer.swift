public import Foundation
import Synchronization
public import Trellis
public import TrellisPostgres

/// A private PostgreSQL server for this process's tests. Stopped and removed when the process ends.
public final class PostgresServer: Sendable {
  /// The shared server for tests that need no special settings, started on first use.
  public static let shared = Result { try PostgresServer() }

  /// The folder that contains the server's socket and data.
  public let folder: URL
  /// The folder that contains PostgreSQL's executables.
  let programs: String
  /// The port, which is part of the socket name. The server also listens on this loopback port if the port was
  /// specified.
  public let port: Int
  private let schemas = Atomic<Int>(0)

  public struct Failure: Error {
    let message: String
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - settings: Lines for the configuration file.
  ///   - port: A loopback port; `nil` for a server that only has a Unix socket.
  public convenience init(settings: [String] = [], port: Int? = nil) throws {
    let network = port.map { ["listen_addresses = '127.0.0.1'", "port = \($0)"] } ?? []
    try self.init(
      ["create", String(ProcessInfo.processInfo.processIdentifier)] + network + settings, port: port ?? 5432)
  }

  /// - Parameter arguments: The script's arguments.
  init(_ arguments: [String], port: Int = 5432) throws {
    self.port = port
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bash", Self.script] + arguments
    process.standardOutput = output
    try process.run()
    // Read only up to the end of the second line, because the server inherits the pipe and keeps it open.
    var text = ""
    while text.count(where: \.isNewline) < 2 {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    process.waitUntilExit()
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    guard process.terminationStatus == 0, lines.count == 2 else {
      throw Failure(message: "no PostgreSQL server could be started; install 'postgresql' or call './run test'")
    }
    folder = URL(fileURLWithPath: lines[0])
    programs = lines[1]
  }

  static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("cluster.sh").path

  /// The connection settings for a database.
  public func url(_ database: String = "postgres", user: String = "trellis") -> String {
    "host=\(folder.path) port=\(port) user=\(user) dbname=\(database)"
  }

  /// A configuration for a new, empty store.
  public func configuration(_ name: String = "default", schema: Schema? = nil) -> PostgresConfiguration {
    var configuration = PostgresConfiguration(name, schema: schema, url: url())
    let number = schemas.add(1, ordering: .relaxed).newValue
    configuration.schemaName = "store \(number)"
    return configuration
  }

  /// Runs statements with `psql` and returns the output.
  @discardableResult public func psql(_ statements: String, database: String = "postgres") throws -> String {
    try run("psql", ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url(database), "-c", statements])
  }

  /// Runs a PostgreSQL executable and returns the output.
  @discardableResult func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: programs).appendingPathComponent(program)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(message: text) }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
