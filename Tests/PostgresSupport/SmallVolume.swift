public import Foundation

/// An in-memory file system with a size limit, which only root can mount.
public struct SmallVolume: Sendable {
  public let path: String

  /// True if this process may mount file systems. Containers often forbid it.
  public static let isPossible: Bool = {
    guard getuid() == 0, let volume = try? SmallVolume(in: FileManager.default.temporaryDirectory, megabytes: 1) else {
      return false
    }
    volume.remove()
    return true
  }()

  /// Mounts the file system in a new folder with the given folder's owner.
  public init(in folder: URL, megabytes: Int) throws {
    path = folder.appendingPathComponent("volume-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    do {
      // The server rejects a folder that a different user owns.
      let owner = try FileManager.default.attributesOfItem(atPath: folder.path)[.ownerAccountID] as? Int ?? 0
      try Self.run(["mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,mode=700,uid=\(owner)", "tmpfs", path])
    } catch {
      try? FileManager.default.removeItem(atPath: path)
      throw error
    }
  }

  public func grow(megabytes: Int) throws { try Self.run(["mount", "-o", "remount,size=\(megabytes)m", path]) }

  public func remove() {
    try? Self.run(["umount", "-l", path])
    try? FileManager.default.removeItem(atPath: path)
  }

  static func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}

extension PostgresServer {
  /// Moves a stopped server's write-ahead log to a volume.
  public func moveLog(to volume: SmallVolume) throws {
    let log = folder.appendingPathComponent("data/pg_wal").path
    // Preserves file ownership.
    try SmallVolume.run(["cp", "-a", log, volume.path])
    try FileManager.default.removeItem(atPath: log)
    try FileManager.default.createSymbolicLink(atPath: log, withDestinationPath: "\(volume.path)/pg_wal")
  }
}

/// Loopback ports.
public enum LoopbackPort {
  /// A port that is currently unused.
  public static func free() throws -> Int {
    let (socket, port) = try ProxySocket.listeningOnLoopback()
    close(socket)
    return port
  }
}
