import Foundation
import SchemaCommands
import SchemaDriver

/// The location of a fixture.
struct FixturePlace {
  /// The path to show in messages.
  let path: String
  private let location: String

  static func places(for titles: [String], _ output: String?, _ session: Session) throws -> [FixturePlace] {
    if let output, output.hasSuffix(".store") {
      guard titles.count == 1 else {
        throw DriverFailure(
          ["error: '\(output)' is a single store, but \(titles.count) versions were given: name a folder"], .usage)
      }
      return [FixturePlace(output, session)]
    }
    if let twice = titles.first(where: { title in titles.count { $0 == title } > 1 }) {
      throw DriverFailure(
        ["error: several schemas would be written to '\(twice).store': name a schema file"], .usage)
    }
    return try titles.map { FixturePlace(Session.join(output ?? "", try FileName.checked($0 + ".store")), session) }
  }

  init(_ path: String, _ session: Session) {
    self.path = path
    location = session.path(path)
  }

  private static let suffixes = ["", "-wal", "-shm", "-journal", "-external"]

  /// Checks for existing files. Stores are replaced only with `--force`; other files are never replaced.
  func check(isForced: Bool) throws {
    let there = Self.suffixes.filter { FileManager.default.fileExists(atPath: location + $0) }
    guard let first = there.first else { return }
    guard isForced else {
      throw DriverFailure(["error: \(path + first) already exists: '--force' replaces a store"], .usage)
    }
    guard first.isEmpty, isStore else {
      throw DriverFailure(
        ["error: \(path + first) is not a Trellis store and is not overwritten: choose a different path"],
        .usage)
    }
  }

  /// True if the file header contains Trellis's application ID.
  private var isStore: Bool {
    guard let handle = FileHandle(forReadingAtPath: location) else { return false }
    defer { try? handle.close() }
    let header = (try? handle.read(upToCount: 72)) ?? Data()
    return header.count == 72 && header.suffix(4).elementsEqual("Trel".utf8)
  }

  /// Writes the store under a temporary name and then renames it, so that existing files are kept until the new store
  /// is complete.
  func write(_ body: (URL) throws -> Void) throws {
    let files = FileManager.default
    let url = URL(fileURLWithPath: location)
    let folder = url.deletingLastPathComponent()
    // Create at most one folder, because the path may contain a typo.
    let around = folder.deletingLastPathComponent().path
    guard files.fileExists(atPath: folder.path) || files.fileExists(atPath: around) else {
      throw DriverFailure(
        ["error: the folder '\(around)' does not exist, and only the last folder of a path is created"], .usage)
    }
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    let partial = folder.appendingPathComponent(".\(url.lastPathComponent).partial")
    func remove(_ path: String) {
      for suffix in Self.suffixes { try? files.removeItem(atPath: path + suffix) }
    }
    remove(partial.path)
    do {
      try body(partial)
      remove(url.path)
      for suffix in Self.suffixes where files.fileExists(atPath: partial.path + suffix) {
        try files.moveItem(atPath: partial.path + suffix, toPath: url.path + suffix)
      }
    } catch {
      remove(partial.path)
      throw error
    }
  }
}
