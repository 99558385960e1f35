import Foundation
import SchemaDriver

/// Writes several files and folders atomically: either all of them or none.
///
/// The transaction writes all contents to temporary files and then renames them. After an error, it restores the
/// previous contents. If the process is killed, the next run completes the renames from the ``TransactionJournal``.
struct FileTransaction {
  private struct Write {
    var path: String
    var bytes: [UInt8]
    /// Returns the reason why an existing file must not be replaced, or nil if it may be replaced.
    var refusal: (([UInt8]) -> String?)?
  }

  private var writes: [Write] = []
  /// New folders and their files.
  private var folders: [(path: String, files: [(name: String, bytes: [UInt8])])] = []

  /// The paths to write, in request order.
  var paths: [String] { folders.map(\.path) + writes.map(\.path) }
  var isEmpty: Bool { paths.isEmpty }

  /// - Parameter refusal: Returns the reason why an existing file must not be replaced, or nil if it may be replaced.
  mutating func write(_ bytes: [UInt8], to path: String, unless refusal: (([UInt8]) -> String?)? = nil) {
    writes.append(Write(path: path, bytes: bytes, refusal: refusal))
  }

  mutating func create(_ folder: String, _ files: [(name: String, bytes: [UInt8])]) {
    folders.append((folder, files))
  }

  /// - Parameter body: Runs before the first rename, when all contents are in temporary files. Its errors cancel the
  ///   transaction.
  func commit(after body: () throws -> Void = {}) throws {
    var undo: [() -> Void] = []
    var parents: [String] = []
    var temporary: [String] = []
    let manager = FileManager.default
    var journal: TransactionJournal?
    // The current path, for errors.
    var place = paths.first ?? ""
    var failure: (any Error)?
    do {
      var moves: [(from: String, to: String, old: Data?)] = []
      for folder in folders {
        place = folder.path
        guard SchemaPaths.kind(of: folder.path) == nil else {
          throw DriverFailure(["\(folder.path): error: the folder already exists; nothing was changed"], .usage)
        }
        let partial = Self.partial(folder.path)
        try? manager.removeItem(atPath: partial)
        parents += try Self.makeParents(of: partial)
        temporary.append(partial)
        try manager.createDirectory(atPath: partial, withIntermediateDirectories: false)
        for file in folder.files {
          let name = try FileName.checked(file.name)
          try Data(file.bytes).write(to: URL(fileURLWithPath: partial + "/" + name))
        }
        moves.append((partial, folder.path, nil))
      }
      for write in writes where !Self.isStream(write.path) {
        place = write.path
        // Follow symbolic links and keep the file permissions.
        let path = try Self.target(of: write.path)
        let old = manager.contents(atPath: path)
        if let old, let refusal = write.refusal?(Array(old)) {
          throw DriverFailure(["\(write.path): error: \(refusal); nothing was changed"], .usage)
        }
        var status = stat()
        let isThere = stat(path, &status) == 0
        // A rename would replace even a read-only file.
        guard !isThere || status.st_mode & 0o222 != 0 else {
          throw DriverFailure(
            ["\(write.path): error: read-only file, so nothing was changed; 'chmod u+w' makes it writable"], .usage)
        }
        let partial = Self.partial(path)
        parents += try Self.makeParents(of: partial)
        temporary.append(partial)
        try Data(write.bytes).write(to: URL(fileURLWithPath: partial))
        if isThere { chmod(partial, status.st_mode & 0o7777) }
        moves.append((partial, path, old))
      }
      // Write to devices and pipes first, because these writes cannot be undone.
      for write in writes where Self.isStream(write.path) {
        place = write.path
        try Self.stream(write.bytes, to: write.path)
      }
      do { try body() } catch {
        failure = error
        throw error
      }
      // A single rename is atomic, so it needs no journal.
      if moves.count > 1 { journal = try TransactionJournal.begin(moves) }
      for move in moves {
        guard rename(move.from, move.to) == 0 else { throw Self.failure(move.to) }
        undo.append {
          if let old = move.old {
            try? old.write(to: URL(fileURLWithPath: move.to))
          } else {
            try? FileManager.default.removeItem(atPath: move.to)
          }
        }
      }
      journal?.end()
      for move in moves where move.old == nil { Self.replanBuilds(with: move.to) }
    } catch {
      for step in undo.reversed() { step() }
      journal?.end()
      for path in temporary { try? manager.removeItem(atPath: path) }
      // Remove the created parent folders. `rmdir` fails if a folder is not empty.
      for folder in parents { rmdir(folder) }
      if let failure = failure ?? error as? DriverFailure { throw failure }
      throw DriverFailure(
        ["\(place): error: cannot write to this path; nothing was changed: \(Self.reason(place, error))"], .usage)
    }
  }

  /// Returns the reason why writing to a path failed. On Linux, Foundation's error descriptions contain only a number.
  private static func reason(_ path: String, _ error: any Error) -> String {
    var folder = SchemaFolder.folder(of: path)
    while !folder.isEmpty, SchemaPaths.kind(of: folder) == nil { folder = SchemaFolder.folder(of: folder) }
    if SchemaPaths.kind(of: folder) == .file { return "'\(folder)' is a file" }
    let place = folder.isEmpty ? "." : folder
    guard access(place, W_OK) != 0 else { return error.localizedDescription }
    return "folder '\(place)': \(String(cString: strerror(errno)))"
  }

  /// Returns true for devices, pipes and sockets, which are written to instead of replaced.
  private static func isStream(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    let kind = status.st_mode & S_IFMT
    return kind != S_IFREG && kind != S_IFDIR
  }

  private static func stream(_ bytes: [UInt8], to path: String) throws {
    guard let handle = FileHandle(forWritingAtPath: path) else { throw failure(path) }
    defer { try? handle.close() }
    try handle.write(contentsOf: Data(bytes))
  }

  /// Makes SwiftPM plan the next build again after a file was added to a folder in `Schemas`, because SwiftPM detects
  /// new files only in target folders.
  private static func replanBuilds(with path: String) {
    let parts = URL(fileURLWithPath: path).pathComponents
    guard let index = parts.lastIndex(of: "Schemas") else { return }
    utimensat(AT_FDCWD, parts[..<index].joined(separator: "/") + "/Package.swift", nil, 0)
  }

  /// Resolves symbolic links, even if the destination does not exist yet.
  private static func target(of path: String) throws -> String {
    var path = path
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      }
      path = next.hasPrefix("/") ? next : Session.join(SchemaFolder.folder(of: path), next)
    }
    throw DriverFailure(["\(path): error: the symbolic links form a cycle; nothing was changed"], .usage)
  }

  /// Returns the temporary path. The name is hidden, so that builds ignore the file if the process is killed. The next
  /// run overwrites the file.
  private static func partial(_ path: String) -> String {
    let url = URL(fileURLWithPath: path)
    return url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).partial").path
  }

  private static func makeParents(of path: String) throws -> [String] {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard !FileManager.default.fileExists(atPath: folder) else { return [] }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return [folder]
  }

  private static func failure(_ path: String) -> DriverFailure {
    DriverFailure(
      ["\(path): error: cannot write to this path; nothing was changed: \(String(cString: strerror(errno)))"], .usage)
  }
}
