import Foundation

/// pgbouncer in transaction mode in front of a server. It is stopped when ``stop()`` is called or the process ends.
public final class Pooler: Sendable {
  /// True if this run tests with pgbouncer. `./run test --all` sets the variable.
  public static let isTested = ProcessInfo.processInfo.environment["TRELLIS_POOLER"] == "1"

  /// The folder with the socket.
  private let folder: URL

  /// Starts the pooler.
  ///
  /// - Parameters:
  ///   - connections: the number of connections to the server that all clients of a user share.
  ///   - users: the users that may connect. Each connects to the server under its name.
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

  /// Removes the folder. The script that watches the pooler stops it then.
  public func stop() { try? FileManager.default.removeItem(at: folder) }

  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("pooler.sh").path

  /// The connection settings of a database behind the pooler.
  public func url(_ database: String = "postgres", user: String = "trellis") -> String {
    "host=\(folder.path) port=6432 user=\(user) dbname=\(database)"
  }
}
