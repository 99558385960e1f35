import Foundation
import SchemaCommands
import SchemaDriver
import TestSupport
import Testing

/// A temporary folder for runs of the tool, with a space and non-ASCII letters in its path.
struct Playground {
  let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("trellis Ä 旅 \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: root) }

  func write(_ path: String, _ text: String) throws {
    let url = root.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func read(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appendingPathComponent(path)), as: UTF8.self)
  }

  /// Returns the contents of all files by path. The path of an empty folder has a trailing slash.
  func contents() throws -> [String: [UInt8]] {
    var result: [String: [UInt8]] = [:]
    for case let path as String in FileManager.default.enumerator(atPath: root.path) ?? .init() {
      var isFolder: ObjCBool = false
      let full = root.appendingPathComponent(path).path
      guard FileManager.default.fileExists(atPath: full, isDirectory: &isFolder) else { continue }
      if isFolder.boolValue {
        let inside = try FileManager.default.contentsOfDirectory(atPath: full)
        if inside.isEmpty { result[path + "/"] = [] }
      } else {
        result[path] = FileManager.default.contents(atPath: full).map { Array($0) } ?? []
      }
    }
    return result
  }

  var files: [String] { get throws { try contents().keys.sorted() } }

  /// Runs the tool and removes the folder from its output.
  @discardableResult func run(_ arguments: String...) -> (status: SchemaDriver.ExitStatus, text: String) {
    run(arguments)
  }

  @discardableResult func run(_ arguments: [String]) -> (status: SchemaDriver.ExitStatus, text: String) {
    let outcome = CommandLineTool.run(arguments, in: root.path)
    var text = (outcome.findings + outcome.progress).replacing(root.path + "/", with: "")
    // The temporary folder may be below the working directory, whose path the tool omits.
    let here = FileManager.default.currentDirectoryPath + "/"
    if root.path.hasPrefix(here) { text.replace(root.path.dropFirst(here.count) + "/", with: "") }
    return (outcome.status, text)
  }

  /// Runs `git` in the folder.
  ///
  /// - Parameter fails: True for a command that is expected to fail, such as a merge with conflicts.
  func git(_ arguments: String..., fails: Bool = false) throws {
    let process = Program.command(
      "git",
      ["-C", root.path, "-c", "user.name=N", "-c", "user.email=n@example.com", "-c", "commit.gpgsign=false"]
        + arguments)
    // Ignore the repository of a Git hook that runs the tests, and the global configuration.
    process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }
      .merging(["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require((process.terminationStatus != 0) == fails)
  }
}

/// Runs a test in a temporary folder.
func play(_ body: (Playground) throws -> Void) throws {
  let playground = try Playground()
  defer { playground.remove() }
  try body(playground)
}
