import Foundation
import SchemaDriver

/// Files and folders to write: all of them, or none.
///
/// Everything is written beside its place first, and moved there when all of it is on disk. A failure
/// on the way puts back what was there before.
struct FileTransaction {
  private struct Write {
    var path: String
    var bytes: [UInt8]
  }

  private var writes: [Write] = []
  /// New folders with their files.
  private var folders: [(path: String, files: [(name: String, bytes: [UInt8])])] = []

  /// What is written, in the order it was asked for.
  var paths: [String] { folders.map(\.path) + writes.map(\.path) }
  var isEmpty: Bool { paths.isEmpty }

  mutating func write(_ bytes: [UInt8], to path: String) { writes.append(Write(path: path, bytes: bytes)) }

  mutating func create(_ folder: String, _ files: [(name: String, bytes: [UInt8])]) {
    folders.append((folder, files))
  }

  func commit() throws {
    var undo: [() -> Void] = []
    var parents: [String] = []
    var temporary: [String] = []
    let manager = FileManager.default
    do {
      var moves: [(from: String, to: String, old: Data?)] = []
      for folder in folders {
        let partial = Self.partial(folder.path)
        try? manager.removeItem(atPath: partial)
        parents += try Self.makeParents(of: partial)
        temporary.append(partial)
        try manager.createDirectory(atPath: partial, withIntermediateDirectories: false)
        for file in folder.files { try Data(file.bytes).write(to: URL(fileURLWithPath: partial + "/" + file.name)) }
        moves.append((partial, folder.path, nil))
      }
      for write in writes where !Self.isStream(write.path) {
        // A link stays a link, and a file keeps who may read it.
        let path = URL(fileURLWithPath: write.path).resolvingSymlinksInPath().path
        let partial = Self.partial(path)
        parents += try Self.makeParents(of: partial)
        temporary.append(partial)
        try Data(write.bytes).write(to: URL(fileURLWithPath: partial))
        if let mode = try? manager.attributesOfItem(atPath: path)[.posixPermissions] {
          try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: partial)
        }
        moves.append((partial, path, manager.contents(atPath: path)))
      }
      // What cannot be taken back comes before what can.
      for write in writes where Self.isStream(write.path) { try Self.stream(write.bytes, to: write.path) }
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
    } catch {
      for step in undo.reversed() { step() }
      for path in temporary { try? manager.removeItem(atPath: path) }
      // Folders that were made for it are empty again; others stay.
      for folder in parents { rmdir(folder) }
      if let failure = error as? DriverFailure { throw failure }
      let place = paths.first ?? ""
      throw DriverFailure(
        ["\(place): error: cannot be written, nothing was changed: \(error.localizedDescription)"], .usage)
    }
  }

  /// A device, a pipe or a socket, which is written to and never replaced.
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

  /// Hidden, so that no build takes it for a version when the process is killed; the next run makes it anew.
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
      ["\(path): error: cannot be written, nothing was changed: \(String(cString: strerror(errno)))"], .usage)
  }
}
