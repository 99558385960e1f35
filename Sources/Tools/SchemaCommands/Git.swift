import Foundation
import SchemaDiagnostics
import SchemaDriver

/// Reads files from a Git revision. Nothing is checked out or written to the repository.
struct Git {
  /// A folder in a working copy. Empty for the working directory.
  let folder: String

  /// Returns the folder's current schema files in a revision, with relative paths. Released versions are omitted.
  func schemaFiles(at revision: String) throws(DriverFailure) -> [SourceFile] {
    try files(at: revision, where: isHead)
  }

  /// Returns the folder's Swift files in a revision, with relative paths.
  func swiftFiles(at revision: String) throws(DriverFailure) -> [SourceFile] {
    try files(at: revision) { $0.hasSuffix(SchemaPaths.swiftSuffix) }
  }

  private func files(
    at revision: String, where isWanted: (String) -> Bool
  ) throws(DriverFailure) -> [SourceFile] {
    guard !revision.isEmpty, !revision.hasPrefix("-") else { throw failure(revision, "is not a revision") }
    let known = try run(["rev-parse", "--verify", "--quiet", revision + "^{commit}"])
    guard known.status == 0 else {
      let isRepository = try run(["rev-parse", "--git-dir"]).status == 0
      guard isRepository else {
        throw failure(revision, "cannot be read: '\(place)' is not in a git repository")
      }
      // Build servers often fetch the newest commit only.
      let isShallow = try run(["rev-parse", "--is-shallow-repository"]).output.starts(with: "true".utf8)
      throw failure(
        revision,
        isShallow ? "is not a revision in this shallow clone; run 'git fetch --unshallow'" : "is not a revision")
    }
    let listing = try run(["ls-tree", "-r", "-z", "--name-only", revision, "--", "."])
    guard listing.status == 0 else { throw failure(revision, "cannot be read: \(listing.message)") }
    let paths = listing.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    var files: [SourceFile] = []
    for path in paths.sorted() where isWanted(path) {
      let blob = try run(["show", "\(revision):./\(path)"])
      guard blob.status == 0 else { throw failure(revision, "does not contain a readable '\(path)': \(blob.message)") }
      files.append(SourceFile(path: "git:\(revision):\(path)", bytes: blob.output))
    }
    return files
  }

  /// Returns the targets below the folder that declare models in Swift files, with all their Swift files in a revision.
  func swiftTargets(at revision: String) throws(DriverFailure) -> [(target: SwiftTarget, files: [SourceFile])] {
    let found = try run(["grep", "-l", "-z", "-F", "Model", revision, "--", "*.swift"])
    let names = found.output.split(separator: 0).map {
      String(decoding: $0.dropFirst(revision.utf8.count + 1), as: UTF8.self)
    }
    var targets: [(target: SwiftTarget, files: [SourceFile])] = []
    for target in Set(names.map { SwiftTarget(ofFile: Session.join(folder, $0)) }) {
      targets.append((target, try Git(folder: target.sources).swiftFiles(at: revision)))
    }
    return targets.sorted { $0.target.sources < $1.target.sources }
  }

  private var place: String { folder.isEmpty ? "." : folder }

  private func isHead(_ path: String) -> Bool {
    path.hasSuffix(SchemaPaths.suffix)
      && !path.split(separator: "/").contains { $0 == SchemaPaths.versions || $0.hasPrefix(".") }
  }

  private func failure(_ revision: String, _ text: String) -> DriverFailure {
    DriverFailure(["error: 'git:\(revision)' \(text)"], .usage)
  }

  private func run(
    _ arguments: [String]
  ) throws(DriverFailure) -> (status: Int32, output: [UInt8], message: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "-C", place] + arguments
    // In hooks, Git sets these variables, which may refer to a different folder.
    let hidden: Set = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"]
    process.environment = ProcessInfo.processInfo.environment.filter { !hidden.contains($0.key) }
    let output = Pipe()
    // Write errors to a file: a second pipe could become full and block the process.
    let errors = FileManager.default.temporaryDirectory.appendingPathComponent("trellis-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: errors) }
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: errors.path)
    process.standardInput = FileHandle.nullDevice
    do { try process.run() } catch {
      throw DriverFailure(["error: git cannot be started: \(error.localizedDescription)"], .usage)
    }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // `env` exits with status 127 if the command does not exist.
    guard process.terminationStatus != 127 else {
      throw DriverFailure(["error: git is not installed, or not on the PATH"], .usage)
    }
    let message =
      FileManager.default.contents(atPath: errors.path)
      .map { String(decoding: $0, as: UTF8.self) } ?? ""
    let line = message.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return (process.terminationStatus, Array(bytes), line)
  }
}
