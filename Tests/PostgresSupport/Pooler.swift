import Foundation

/// Runs pgbouncer in transaction mode in front of a server. Stopped by ``stop()`` or when the process ends.
public final class Pooler: Sendable {
  /// True if this run includes pgbouncer tests. `./run test --all` sets the variable.
  public static let isTested = ProcessInfo.processInfo.environment["TRELLIS_POOLER"] == "1"

  /// The folder that contains the socket.
  private let folder: URL

  /// Starts the pooler.
  ///
  /// - Parameters:
  ///   - connections: The number of server connections that all clients of a user share.
  ///   - users: The users that may connect. Each connects to the server under the same name.
  public init(to server: PostgresServer, connections: Int, users: [String] = ["trellis"]) throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "bash", Self.script, String(ProcessInfo.processInfo.processIdentifier), server.folder.path, String(connections),
      ] + users
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0, let line = text.split(whereSeparator: \.isNewline).first else {
      throw PostgresServer.Failure(message: "pgbouncer could not be started; install it or call './run test --all'")
    }
    folder = URL(fileURLWithPath: String(line))
  }

  deinit { stop() }

  /// Removes the folder. The script that watches the pooler then stops it.
  public func stop() { try? FileManager.default.removeItem(at: folder) }

  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("pooler.sh").path

  /// The connection settings for a database behind the pooler.
  public func url(_ database: String = "postgres", user: String = "trellis") -> String {
    "host=\(folder.path) port=6432 user=\(user) dbname=\(database)"
  }
}
